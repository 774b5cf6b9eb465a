/** Outlines of the page's pictures, 24 by 24. */
export const drawings = {
  home: 'M3 11 12 3l9 8v10h-6v-7H9v7H3Z',
  search: 'M10 3a7 7 0 1 0 4.3 12.5L20 21l1.4-1.4-5.6-5.6A7 7 0 0 0 10 3Zm0 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10Z',
  explore: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm4 6-2.5 5.5L8 16l2.5-5.5Z',
  reels: 'M3 4h18v16H3Zm7 5v7l6-3.5Z',
  messages: 'M2 4 22 3 12 21l-2-8Z',
  heart: 'M12 21 3.5 12.5a5 5 0 0 1 7-7L12 7l1.5-1.5a5 5 0 0 1 7 7Z',
  plus: 'M4 4h16v16H4Zm7 3v4H7v2h4v4h2v-4h4v-2h-4V7Z',
  person: 'M12 3a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9Zm0 11c-5 0-8 3-8 7h16c0-4-3-7-8-7Z',
  cross: 'M5 3.6 12 10.6l7-7L20.4 5l-7 7 7 7-1.4 1.4-7-7-7 7L3.6 19l7-7-7-7Z',
  bubble: 'M12 3a9 9 0 1 0 4 17l5 1-1-5A9 9 0 0 0 12 3Z',
  flag: 'M5 2h14v20l-7-6-7 6Z',
  dots: 'M4 10h4v4H4Zm6 0h4v4h-4Zm6 0h4v4h-4Z',
  check: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm-1.5 15L6 12.5 7.5 11l3 3 6-6L18 9.5Z',
  layers: 'M3 7h14v14H3Zm4-4h14v14h-2V5H7Z',
  play: 'M6 3v18l15-9Z',
} as const;
