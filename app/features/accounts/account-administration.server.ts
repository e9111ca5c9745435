/** What the administration of users asks of accounts. */
export { endSessionsOf } from "~/access/session-store.server";
export { revokeTokens } from "./token-store.server";
export { rewriteUserTokens } from "./user-search-store.server";
export { findAccount, findByUserName, insertUser, refuseTakenName, updatePassword } from "./user-store.server";
