// What every page has beyond plain HTML: local times, news without loading
// anew, a guess at the language of an upload, a set-up that an editor hands
// over. Nothing here is needed.

localTimes(document);
followNews();
guessLanguage();
narrowUpload();
narrowGuests();
bringSetup();

/** Shows every `<time>` in the visitor's own time; the exact instant stays on hover. */
function localTimes(root: ParentNode): void {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  for (const it of root.querySelectorAll<HTMLTimeElement>("time[datetime]")) {
    const instant = new Date(it.dateTime);
    if (Number.isNaN(instant.getTime())) continue;
    it.textContent = format.format(instant);
    it.title = it.dateTime;
  }
}

/**
 * `<div data-live="/stream" data-events="a b">`: whenever one of these events
 * comes, the page is fetched again and its `data-region` parts are exchanged;
 * with `data-every-s="10"` also that often, for what no event tells.
 */
function followNews(): void {
  let place = document.querySelector<HTMLElement>("[data-live]");
  if (!place?.dataset.live) return;
  const stream = new EventSource(place.dataset.live);
  const words = place.querySelector<HTMLElement>("[data-live-words]");
  let fetching = false;
  let again = false;
  // Heard only if it is there before it speaks.
  announcer();
  // What comes at once only brings the page up to date.
  let quietly = true;
  window.setTimeout(() => (quietly = false), 1500);
  let timer = 0;
  rest();

  stream.addEventListener("open", () => {
    if (place) place.dataset.on = "";
    if (words) words.textContent = "This page follows by itself.";
  });
  stream.addEventListener("error", () => {
    if (!place || !("on" in place.dataset)) return;
    delete place.dataset.on;
    const lost = "The connection is lost; trying again.";
    if (words) words.textContent = lost;
    announce(lost);
  });
  for (const name of (place.dataset.events ?? "").split(" ")) {
    stream.addEventListener(name, () => void refresh());
  }
  stream.addEventListener("over", () => {
    stream.close();
    void refresh();
  });

  /** Waits for the next time that the page is to be fetched without an event. */
  function rest(): void {
    window.clearTimeout(timer);
    const every_s = Number(place?.dataset.everyS ?? 0);
    if (every_s <= 0) return;
    timer = window.setTimeout(() => {
      // Nobody is looking: the next time, then.
      if (document.hidden) return rest();
      // A place in the queue that moves up is no news to be spoken.
      quietly = true;
      void refresh();
    }, every_s * 1000);
  }

  async function refresh(): Promise<void> {
    if (fetching) {
      again = true;
      return;
    }
    fetching = true;
    try {
      const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      exchange(fresh, quietly);
      const next = fresh.querySelector<HTMLElement>("[data-live]");
      if (!next) {
        stream.close();
        place?.remove();
        place = null;
      } else if (place) {
        if (next.dataset.everyS) place.dataset.everyS = next.dataset.everyS;
        else delete place.dataset.everyS;
      }
    } catch {
      // The next event tries again.
    } finally {
      quietly = false;
      fetching = false;
      rest();
      if (again) {
        again = false;
        void refresh();
      }
    }
  }
}

/** Puts the parts of a page that are new in place of the old, leaving alone what somebody is using. */
function exchange(fresh: Document, quietly: boolean): void {
  const changed: string[] = [];
  // Parts move from there to here, so their order is noted first.
  const order = [...fresh.querySelectorAll<HTMLElement>("main > *")].map((it) => it.dataset.region ?? "");
  for (const old of document.querySelectorAll<HTMLElement>("[data-region]")) {
    const name = old.dataset.region ?? "";
    const part = fresh.querySelector<HTMLElement>(`[data-region="${CSS.escape(name)}"]`);
    if (old.contains(document.activeElement)) continue;
    if (!part) {
      old.remove();
      continue;
    }
    localTimes(part);
    if (same(old, part)) continue;
    keepOpen(old, part);
    old.replaceWith(document.adoptNode(part));
    changed.push(heading(part));
  }
  for (const part of fresh.querySelectorAll<HTMLElement>("main > [data-region]")) {
    const name = part.dataset.region ?? "";
    if (document.querySelector(`[data-region="${CSS.escape(name)}"]`)) continue;
    insertInOrder(part, order);
    changed.push(heading(part));
  }
  for (const it of fresh.querySelectorAll<HTMLScriptElement>("head script[src]")) {
    if (document.querySelector(`script[src="${CSS.escape(it.getAttribute("src") ?? "")}"]`)) continue;
    const script = document.createElement("script");
    script.type = "module";
    script.src = it.src;
    document.head.append(script);
  }
  const named = changed.filter((it) => it !== "");
  if (changed.length > 0 && !quietly) announce(named.length > 0 ? `Changed: ${named.join("; ")}.` : "This page has changed.");
}

/** What a part is about, in a few words: what it says of itself, or its heading. */
function heading(part: HTMLElement): string {
  return (part.dataset.says ?? part.querySelector("h2")?.textContent ?? "").trim();
}

/** A part that was not there before, put where the fresh page has it. */
function insertInOrder(part: HTMLElement, order: string[]): void {
  const before = order.slice(0, order.indexOf(part.dataset.region ?? "")).reverse();
  localTimes(part);
  const main = document.querySelector("main");
  for (const name of before) {
    const here = name ? document.querySelector(`main > [data-region="${CSS.escape(name)}"]`) : null;
    if (here) {
      here.after(document.adoptNode(part));
      return;
    }
  }
  main?.append(document.adoptNode(part));
}

function same(a: HTMLElement, b: HTMLElement): boolean {
  // A viewer that has started holds more than the page said of it.
  // One that follows a match comes by itself to the replay of what it followed.
  const viewer = a.querySelector("agon-replay");
  const other = b.querySelector("agon-replay");
  if (viewer && other) return viewer.getAttribute("src") === other.getAttribute("src");
  return a.innerHTML === b.innerHTML;
}

/** What was folded out stays so. */
function keepOpen(old: HTMLElement, part: HTMLElement): void {
  const folds = part.querySelectorAll("details");
  old.querySelectorAll("details").forEach((it, at) => {
    const fold = folds[at];
    if (fold && it.open) fold.open = true;
  });
}

/** Tells those who hear pages rather than see them. */
function announce(words: string): void {
  announcer().textContent = words;
}

function announcer(): HTMLElement {
  const known = document.querySelector<HTMLElement>("#announcer");
  if (known) return known;
  const place = document.createElement("div");
  place.id = "announcer";
  place.className = "unseen";
  place.setAttribute("role", "status");
  document.body.append(place);
  return place;
}

/** What the server looks at to guess a language. */
const GUESS_BYTES_MAX = 65_536;

/** Chooses the language of an upload as soon as its file is chosen. */
function guessLanguage(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-upload]");
  const file = form?.querySelector<HTMLInputElement>('input[name="file"]');
  const source = form?.querySelector<HTMLTextAreaElement>('textarea[name="source"]');
  const language = form?.querySelector<HTMLSelectElement>('select[name="language"]');
  const words = form?.querySelector<HTMLElement>("[data-guess]");
  if (!form || !file || !source || !language || !words) return;
  const usual = words.textContent;
  let chosen = language.value !== "";
  language.addEventListener("change", () => {
    chosen = language.value !== "";
    words.textContent = usual;
  });
  file.addEventListener("change", () => {
    const it = file.files?.[0];
    if (it) void guessFile(it);
  });
  source.addEventListener("change", () => {
    if (source.value) void guess("", new Blob([source.value.slice(0, 16_384)]));
  });

  // Of an archive, a beginning tells nothing: it is sent whole, or told when it is uploaded.
  async function guessFile(file: File): Promise<void> {
    const head = file.slice(0, GUESS_BYTES_MAX);
    const [a, b] = new Uint8Array(await head.slice(0, 2).arrayBuffer());
    const isArchive = (a === 0x50 && b === 0x4b) || (a === 0x1f && b === 0x8b);
    if (!isArchive || file.size <= GUESS_BYTES_MAX) return guess(file.name, head);
    if (!chosen && words) words.textContent = "The language of this archive is told when it is uploaded. You can choose it here.";
  }

  async function guess(name: string, head: Blob): Promise<void> {
    if (chosen || !language || !words) return;
    const answer = await fetch(`/upload/guess?file_name=${encodeURIComponent(name)}`, { method: "POST", body: head });
    if (!answer.ok) return;
    const { language: id, why, refused } = (await answer.json()) as { language: string | null; why: string | null; refused?: string };
    if (refused) {
      words.textContent = `This upload will not be taken: ${refused}.`;
      return;
    }
    const option = [...language.options].find((it) => it.value === id);
    if (id && option?.disabled) {
      words.textContent = `This looks like ${option.textContent ?? id}, because ${why ?? "of its content"}.`;
    } else if (id && option) {
      language.value = id;
      words.textContent = `${option.textContent ?? id}, because ${why ?? "of its content"}. Choose another if that is wrong.`;
    } else {
      words.textContent = "The file does not say which language it is written in. Choose one.";
    }
  }
}

/** Asks for a name only where somebody else is to play. */
function narrowGuests(): void {
  for (const part of document.querySelectorAll<HTMLElement>("[data-guest-of]")) {
    const seat = document.querySelector<HTMLSelectElement>(`select[name="${CSS.escape(part.dataset.guestOf ?? "")}"]`);
    if (!seat) continue;
    const show = () => {
      part.hidden = seat.value !== "guest";
    };
    seat.addEventListener("change", show);
    show();
  }
}

/**
 * Hides what only a new bot needs while a known one is chosen, and asks for it
 * otherwise: the server would too, but by then the chosen file is forgotten.
 */
function narrowUpload(): void {
  const part = document.querySelector<HTMLElement>("form[data-upload] [data-new-bot]");
  const bot = document.querySelector<HTMLSelectElement>('form[data-upload] select[name="bot"]');
  if (!part) return;
  const show = () => {
    part.hidden = (bot?.value ?? "") !== "";
    for (const it of part.querySelectorAll("input")) it.required = !part.hidden;
  };
  bot?.addEventListener("change", show);
  show();
}

/** Fills in the set-up that an editor has left for the page that starts matches. */
function bringSetup(): void {
  const part = document.querySelector<HTMLDetailsElement>("[data-own-setup]");
  const source = part?.querySelector("textarea");
  if (!part || !source) return;
  const key = `agon-own-setup-${part.dataset.ownSetup}`;
  const setup = sessionStorage.getItem(key);
  if (setup === null) return;
  sessionStorage.removeItem(key);
  source.value = setup;
  part.open = true;
}
