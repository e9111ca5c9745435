/** Id of a referral's form that calls the patient up, which buttons elsewhere on its page name. */
export const callUpFormId = (referralId: number) => `callUp-${referralId}`;
