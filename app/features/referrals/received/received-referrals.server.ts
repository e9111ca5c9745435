/** What is asked of referrals by whoever takes something in that another system has sent. */
export { findEarlierName, findOpenOfPatient } from "~/features/referrals/store/received-referral-store.server";
