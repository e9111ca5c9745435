/** What a page calls a session: enough of its id to tell one person's sessions apart. */
export const handleOf = (sessionId: string) => sessionId.slice(0, 16);
