import type { pluginPingAnswer, SiteCapabilities } from '@decola/contracts';
import type { z } from 'zod';

const listed = 200;

/** What a site told of itself, as far as it is kept. @param told undefined: nothing that could be read */
export const capabilitiesOf = (told: Partial<z.infer<typeof pluginPingAnswer>> | undefined): SiteCapabilities => ({
  categories: (told?.categories ?? []).slice(0, listed),
  authors: (told?.authors ?? []).slice(0, listed).map(({ id, name }) => ({ id, name })),
  seoPlugin: told?.seo_plugin ?? null,
  blogPublic: told?.blog_public ?? null,
  warnings: (told?.warnings ?? []).slice(0, 20),
  pickup: told?.pickup ?? null,
});
