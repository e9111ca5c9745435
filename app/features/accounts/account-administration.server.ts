export { endAccessOf } from "./end-access.server";
export { rewriteUserTokens } from "./user-search-store.server";
export { findAccount, findByUserName, insertUser, refuseTakenName, updatePassword } from "./user-store.server";
