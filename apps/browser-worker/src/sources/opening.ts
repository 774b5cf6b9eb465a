/** How often one run opens a hashtag, a list or a feed: every time costs page views. */
export const mostOpenings = 8;
