const site = 'https://www.instagram.com';

/** @param username without `@` */
export const profileUrl = (username: string): string => `${site}/${encodeURIComponent(username)}/`;

/** @param code the post's shortcode */
export const postUrl = (code: string): string => `${site}/p/${encodeURIComponent(code)}/`;
