/** A prefix of the session id that tells one person's sessions apart. */
export const handleOf = (sessionId: string) => sessionId.slice(0, 16);
