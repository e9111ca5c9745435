export { findEarlierName, findOpenOfPatient } from "~/features/referrals/store/received-referral-store.server";
