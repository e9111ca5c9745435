import type { Migration } from "kysely";
import * as people from "./2026_11_21_0900_people";
import * as access from "./2026_11_21_0910_access";
import * as referrals from "./2026_11_21_0920_referrals";
import * as files from "./2026_11_21_0930_files";
import * as outbox from "./2026_11_21_0940_outbox";
import * as partialUploads from "./2026_11_21_1000_partial_uploads";
import * as overviewLists from "./2026_11_21_1020_overview_lists";
import * as massChanges from "./2026_11_21_1021_mass_changes";
import * as messagesWithFiles from "./2026_11_21_1022_messages_with_files";
import * as messages from "./2026_11_21_1040_messages";
import * as typedInput from "./2026_11_21_1060_typed_input";
import * as caseSections from "./2026_11_21_1070_case_sections";
import * as appointmentImport from "./2026_11_21_1072_appointment_import";
import * as overviewIndexes from "./2026_11_21_1095_overview_indexes";

/** Listed by hand, in order: a bundle cannot scan a folder. */
export const migrations: Record<string, Migration> = {
  "2026_11_21_0900_people": people,
  "2026_11_21_0910_access": access,
  "2026_11_21_0920_referrals": referrals,
  "2026_11_21_0930_files": files,
  "2026_11_21_0940_outbox": outbox,
  "2026_11_21_1000_partial_uploads": partialUploads,
  "2026_11_21_1020_overview_lists": overviewLists,
  "2026_11_21_1021_mass_changes": massChanges,
  "2026_11_21_1022_messages_with_files": messagesWithFiles,
  "2026_11_21_1040_messages": messages,
  "2026_11_21_1060_typed_input": typedInput,
  "2026_11_21_1070_case_sections": caseSections,
  "2026_11_21_1072_appointment_import": appointmentImport,
  "2026_11_21_1095_overview_indexes": overviewIndexes,
};
