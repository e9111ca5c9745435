import { isLocked } from "~/http/forms/document-person";
import type { FormOwner } from "./use-form-owner";

/** Milliseconds without typing before autosave. */
export const REST_MS = 2500;
/** Browsers send at most 64 KB after their page has gone. */
const MAX_KEEPALIVE_BYTES = 60_000;

/** Autosaves a form under its CPR number after a pause in typing or when it is left. */
export class Autosave {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  /** A copy may have no number yet; the first with one replaces it. */
  #mayStandWithoutNumber: boolean;
  #isContinued = false;

  constructor(
    private readonly form: HTMLFormElement,
    private readonly owner: FormOwner,
    private readonly send: (typed: URLSearchParams) => void,
  ) {
    this.#mayStandWithoutNumber = owner.cpr() === null;
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  later(delay: number): void {
    this.halt();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.send(this.#typed());
    }, delay);
  }

  halt(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  wasSaved(): void {
    if (this.#isContinued) this.#mayStandWithoutNumber = false;
  }

  deliver(change?: "number"): void {
    if (!this.isWaiting || isLocked()) return;
    this.halt();
    const body = this.#typed();
    const [six, four] = this.owner.cpr()?.split("-") ?? [];
    // The boxes contain the next patient's number.
    if (change === "number" && six && four) {
      body.set("cpr6", six);
      body.set("cpr4", four);
    }
    // The form's own address, since the page's may have changed.
    void fetch(this.form.action, {
      method: "POST",
      body,
      keepalive: body.toString().length < MAX_KEEPALIVE_BYTES,
    }).catch(() => undefined);
  }

  stop(): void {
    this.halt();
    this.#isClosed = true;
  }

  #typed(): URLSearchParams {
    const typed = new URLSearchParams();
    for (const [name, value] of new FormData(this.form)) if (typeof value === "string") typed.append(name, value);
    typed.set("intent", "saveAutosave");
    typed.set("typedFor", this.owner.cpr() ?? "");
    this.#isContinued = this.#mayStandWithoutNumber && this.owner.cpr() !== null;
    if (this.#isContinued) typed.set("continued", "on");
    return typed;
  }
}
