import { dashboardTools, tools } from '@decola/contracts';

/** Page of the first tool that extracts a list of people. */
export const firstExtractorPath = `/automation/${dashboardTools.find((type) => tools[type].isExtractor)}`;
