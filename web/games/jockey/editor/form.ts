// The numbers of a course, as fields: what is out of bounds is told beside the
// field, and changes nothing.

import { h, setText } from "../../../viewer/dom";
import { bounds, type Course, type Field, readSeconds, withField } from "./course";
import { text } from "./text";

const FIELDS: readonly Field[] = ["width", "length", "vision", "step_limit", "think_ms", "x0", "x1"];

/** Fields for all numbers; `change` is told of each course that they make. */
export class Numbers {
  readonly element = h("div", { class: "numbers" });
  readonly #lines = new Map<Field, { input: HTMLInputElement; help: HTMLElement; error: HTMLElement }>();

  constructor(
    private course: Course,
    private readonly change: (course: Course) => void,
  ) {
    for (const field of FIELDS) {
      const id = `number-${field}`;
      const input = h("input", { class: "input", id, inputmode: field === "think_ms" ? "decimal" : "numeric", autocomplete: "off", "aria-describedby": `${id}-help ${id}-error` });
      const help = h("p", { class: "help", id: `${id}-help` });
      const error = h("p", { class: "error", id: `${id}-error`, hidden: true });
      input.addEventListener("change", () => this.#take(field));
      this.#lines.set(field, { input, help, error });
      this.element.append(h("div", { class: "field" }, h("label", { for: id }, text.field(field)), input, help, error));
    }
    this.show(course);
  }

  /** Shows the numbers of this course, and forgets what was wrong. */
  show(course: Course): void {
    this.course = course;
    for (const [field, { input, help }] of this.#lines) {
      const seconds = field === "think_ms";
      input.value = String(seconds ? course.think_ms / 1000 : course[field]);
      const [min, max] = bounds(course, field);
      setText(help, text.allowed(seconds ? [0.001, max / 1000] : [min, max]));
      this.#complain(field, null);
    }
  }

  #take(field: Field): void {
    const typed = this.#lines.get(field)!.input.value;
    const seconds = field === "think_ms";
    const value = seconds ? readSeconds(typed) : /^\s*\d{1,9}\s*$/.test(typed) ? Number(typed) : null;
    const changed = value === null ? null : withField(this.course, field, value);
    if (changed === null) {
      const allowed = bounds(this.course, field);
      this.#complain(field, seconds ? text.wrong_seconds(typed, allowed[1] / 1000) : text.wrong(typed, allowed));
    } else if (changed.x0 === changed.x1) {
      this.#complain(field, text.same_start);
    } else {
      this.#complain(field, null);
      this.change(changed);
    }
  }

  #complain(field: Field, why: string | null): void {
    const { input, error } = this.#lines.get(field)!;
    input.setAttribute("aria-invalid", String(why !== null));
    error.hidden = why === null;
    setText(error, why ?? "");
  }
}
