/** How many different profile pictures and photographs there are: few, because every file costs each new browser context a request. */
export const pictureKinds = 6;
