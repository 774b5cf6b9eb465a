/** Usernames of the network. In a file without zod, so that the public pages, which load no schemas, can check a handle. */
export const usernamePattern = /^[A-Za-z0-9._]{1,30}$/;
