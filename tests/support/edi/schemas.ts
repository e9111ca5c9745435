import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/** MedCom's schemas, which may not be distributed: the folder named by EDI_SCHEMAS. */
const folder = path.resolve(process.env.EDI_SCHEMAS ?? "../shared/samples/edi/schemas");

export const canCheckSchemas = existsSync(folder) && spawnSync("xmllint", ["--version"]).status === 0;

/** Errors of xmllint by a schema (`2005/08/07`); empty if valid. */
export function schemaErrors(schema: string, message: Buffer): string {
  const file = path.join(folder, schema, "EMessage.xsd");
  const { status, stderr } = spawnSync("xmllint", ["--noout", "--schema", file, "-"], { input: message });
  return status === 0 ? "" : `${status}: ${stderr}`;
}
