/*
 * Classes of the header and the footer of public pages. Pages with a router, without one, and without scripts draw them with links of their own.
 */

/** The width of the public pages: at most 1200 px, with a margin on both sides. */
export const pageWidth = 'mx-auto w-[min(1200px,100%-32px)] md:w-[min(1200px,100%-64px)]';

/** The link to the content, which is shown to who uses the keyboard. */
export const skipLinkLook =
  'sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-control focus:bg-raised focus:p-3 focus:shadow-2';

export const headerLook = 'sticky top-0 z-30 bg-canvas/86 shadow-[0_1px_0_var(--rim)] backdrop-blur-[14px] backdrop-saturate-140';

export const headerLinkLook = 'inline-flex min-h-11 items-center rounded-control px-3 text-md font-[550] hover:text-ink';

export const footerLinkLook = 'inline-flex min-h-11 min-w-11 items-center hover:text-ink';
