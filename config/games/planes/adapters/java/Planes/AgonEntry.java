package Planes;

/** Which class plays. The judge fills in its name when it builds an upload. */
class AgonEntry {
    static final String NAME = "{entry}";

    private AgonEntry() {}
}
