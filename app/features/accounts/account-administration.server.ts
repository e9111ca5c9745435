export { endAccessOf } from "./end-access.server";
export { rewriteUserTokens } from "./store.server";
export { findAccount, findByUserName, insertUser, refuseTakenName, updatePassword } from "./store.server";
