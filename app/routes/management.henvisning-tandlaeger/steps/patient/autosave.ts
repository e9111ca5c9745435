import { isLocked } from "~/http/forms/document-person";
import type { FormOwner } from "./use-form-owner";

/** Milliseconds of rest after a keystroke before what stands in the form is kept. */
export const REST_MS = 2500;
/** A browser sends no longer body than 64 KB after its page has gone. */
const MAX_KEEPALIVE_BYTES = 60_000;

/** Sends what stands in one form, under the CPR number that it belongs to, once nothing was typed for a while or the form is left. */
export class Autosave {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  /** A copy may stand under no number yet: the first one under a number takes its place. */
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

  /** The server has kept what was sent last. */
  wasSaved(): void {
    if (this.#isContinued) this.#mayStandWithoutNumber = false;
  }

  /** What the rest was not over for: the browser delivers it by itself, wherever its page goes. */
  deliver(change?: "number"): void {
    if (!this.isWaiting || isLocked()) return;
    this.halt();
    const body = this.#typed();
    const [six, four] = this.owner.cpr()?.split("-") ?? [];
    // The boxes hold the next patient's number by now.
    if (change === "number" && six && four) {
      body.set("cpr6", six);
      body.set("cpr4", four);
    }
    // The form's own address: the page's may be the next one by now.
    void fetch(this.form.action, {
      method: "POST",
      body,
      keepalive: body.toString().length < MAX_KEEPALIVE_BYTES,
    }).catch(() => undefined);
  }

  /** Nothing more is sent: the form is left, or what stands in it is thrown away on purpose. */
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
