import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { ControlValues } from "~/text/control-values";
import type { DbOrTx } from "~db/connection.server";
import type { Common } from "./operation-context.server";

/** Stored values of an edited form, as its controls show them. */
export interface StoredValues {
  values: ControlValues;
  /** Words for values that are numbers of rows. */
  shown?: Readonly<Record<string, string>>;
  /** The version that these values have; the change is guarded by it. */
  version?: number;
}

/**
 * Merges a form that draws stored values with the present ones (docs/rules/forms.md). The fields of a group are
 * changed, kept and refused together; every other field is a group of its own.
 */
export interface Edit {
  groups?: readonly (readonly string[])[];
  /**
   * Fields whose stored value may stay where it would be refused today, unless its person changed it. The operation's
   * input names them in `unchanged`.
   */
  keeps?: readonly string[];
  /** The operation does nothing but save these values, so a form that nobody touched is not carried out. */
  savesOnly?: true;
  /** What the refusal says where two people changed the same; by default 'Nu: …' at each field. */
  conflictText?(context: EditContext, field: FieldOfTicket): Promise<string>;
  sees?: Sees;
  /** Reads the stored values, and locks them where they have no version. */
  read(context: EditContext, field: FieldOfTicket): Promise<StoredValues>;
}

/** Facts that an operation acts on and its form does not edit, such as a status or which file is there. */
export interface Sees {
  read(context: EditContext, field: FieldOfTicket): Promise<ControlValues>;
  /**
   * What the refusal says when these facts have moved since the form was opened. Null where that is no news to the
   * person, since they moved them; the operation then runs.
   */
  movedText(context: EditContext, field: FieldOfTicket, moved: readonly string[]): Promise<string | null>;
}

/** Answers a field that the form's ticket binds. */
export type FieldOfTicket = (name: string) => string | null;

export type EditContext = Pick<Common, "actor" | "portal"> & { db: DbOrTx };

/** A row's id in a form's field; 0, which no row has, where the field is empty or no number. */
export const rowIdIn = (field: string | null): number => z.coerce.number().int().catch(0).parse(field);

/** Whether a row has these values already, so that saving them changes nothing. */
export const hasValues = <R extends object>(row: R, values: Partial<R>): boolean =>
  isDeepStrictEqual({ ...row, ...values }, { ...row });
