import { inTransaction } from "~db/connection.server";
import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";
import { hasAccount } from "./actor";
import type { Caller } from "./caller";
import type { CommandResult, Flash } from "./command-result";
import { discardFormFiles, findFormContents } from "./form-files-store.server";
import {
  claimForm,
  findFormAnswer,
  type FormOfOperation,
  type RecordedAnswer,
  recordFormAnswer,
} from "./idempotency-store.server";
import { type ChangeContext, common, entryOf, type Note, referralsIn } from "./operation-context.server";
import type { Permission } from "./permissions";
import type { Secrets } from "./secrets.server";

/**
 * Runs a change and its audit row in one transaction. An `idempotent` one runs once per form, typed text and chosen
 * files (docs/decisions/0114). Work for after the commit runs even if a part of it fails.
 */
export async function transact<O extends CommandResult>(
  declaration: { name: string; permission: Permission; idempotent?: boolean; uploads?: Record<string, unknown> },
  { portal, caller, input, note }: { portal: Portal; caller: Caller; input: unknown; note: Note },
  work: (context: ChangeContext) => Promise<O>,
): Promise<CommandResult> {
  const key = declaration.idempotent ? (caller.formNonce ?? formKeyIn(input)) : null;
  const personId = hasAccount(caller.actor) ? caller.actor.id : 0;
  const staged =
    key === null ? null : { ownerId: personId, formKey: key, fields: Object.keys(declaration.uploads ?? {}) };
  let afterwards: (() => Promise<void> | void)[] = [];
  const done = await inTransaction(
    portal.db,
    async (tx): Promise<CommandResult> => {
      afterwards = [];
      const shared = common(portal, caller, note);
      const files = staged === null ? [] : await findFormContents(tx, staged);
      const formOf = (what: unknown) => ({
        userId: personId,
        operation: declaration.name,
        formKey: portal.secrets.lookup("form", JSON.stringify(what)),
      });
      const form = staged && formOf([key, input, files]);
      if (form !== null && !(await claimForm(tx, form, shared.now))) {
        // The files arrived again with a repeated form.
        await discardFormFiles(tx, staged!, shared.now);
        const answer = openAnswer(portal.secrets, form, await findFormAnswer(tx, form));
        await caller.beforeCommit?.(tx, answer);
        return answer;
      }
      const changed = referralsIn(input);
      let detail: string | null = null;
      const context = Object.assign(shared, {
        tx,
        outbox: portal.outboxIn(tx),
        auditChange: (ids: number[], words?: string) => {
          changed.push(...ids);
          detail = words ?? detail;
        },
        afterCommit: (each: () => Promise<void> | void) => void afterwards.push(each),
      });
      const result = await work(context);
      if (form !== null) {
        await recordFormAnswer(tx, form, sealAnswer(portal.secrets, form, result));
        // A file that arrived with an earlier, refused submission is not sent again, so the form without it is the same
        // form.
        if (files.length > 0) {
          const withoutFiles = formOf([key, input, []]);
          await claimForm(tx, withoutFiles, shared.now);
          await recordFormAnswer(tx, withoutFiles, sealAnswer(portal.secrets, withoutFiles, result));
        }
        await discardFormFiles(tx, staged!, shared.now);
      }
      await portal.audit.within(
        tx,
        { ...entryOf(declaration, caller, note), outcome: "done", referralIds: changed, detail },
        toMoment(shared.now),
      );
      await caller.beforeCommit?.(tx, result);
      return result;
    },
    portal.clock.now(),
  );
  for (const each of afterwards) {
    try {
      await each();
    } catch (error) {
      portal.log.error({ err: error, operation: declaration.name }, "work after the commit failed");
    }
  }
  return done;
}

function formKeyIn(input: unknown): string | null {
  const key = typeof input === "object" && input !== null && "formKey" in input ? input.formKey : null;
  return typeof key === "string" && key !== "" ? key : null;
}

function sealAnswer(secrets: Secrets, form: FormOfOperation, { to, flash }: CommandResult): RecordedAnswer {
  return { to, sealedFlash: flash && secrets.encrypt("seal", JSON.stringify(flash), contextOf(form)) };
}

function openAnswer(secrets: Secrets, form: FormOfOperation, { to, sealedFlash }: RecordedAnswer) {
  const plain = sealedFlash === undefined ? null : secrets.decrypt("seal", sealedFlash, contextOf(form));
  return { to, flash: plain === null ? undefined : (JSON.parse(plain) as Flash) };
}

const contextOf = ({ userId, operation, formKey }: FormOfOperation) => `idempotency ${userId} ${operation} ${formKey}`;
