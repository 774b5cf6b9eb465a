import { z } from 'zod';

/*
 * What our plugin for WordPress is sent and answers (Standard Webhooks 1.0, bodies `{type, timestamp, data}`). Answers are read leniently: customers update
 * the plugin when they like.
 */

/** Events that the plugin understands. */
export const pluginEvents = [
  'ping',
  'article.prepare',
  'article.media',
  'article.publish',
  'article.withdraw',
  'article.status',
  'site.inventory',
] as const;
export type PluginEvent = (typeof pluginEvents)[number];

/** What every answer of the plugin has. */
const answer = { decola: z.literal(1), plugin: z.string().optional(), wp: z.string().optional(), php: z.string().optional() };
const text = z.string().nullish().catch(null);
/** Shown as a link. */
const address = z
  .url({ protocol: /^https?$/ })
  .nullish()
  .catch(null);
const texts = z.array(z.string()).catch([]).default([]);

/** Answer to `ping`. `proof`: lower-case hex of HMAC-SHA256(token, challenge + host). */
export const pluginPingAnswer = z.looseObject({
  ...answer,
  proof: text,
  categories: texts,
  authors: z
    .array(z.looseObject({ id: z.coerce.number().int(), name: z.string() }))
    .catch([])
    .default([]),
  seo_plugin: text,
  blog_public: z.boolean().nullish().catch(null),
  warnings: texts,
  /** Whether the plugin asks for articles by itself (`pickupRequest`). */
  pickup: z.boolean().nullish().catch(null),
});

/** Answer to `article.prepare` and `article.publish`. */
export const pluginPostAnswer = z.looseObject({
  ...answer,
  post_id: z.coerce.number().int().positive().nullish().catch(null),
  content_hash: text,
  status: text,
  url: address,
  edit_url: address,
});

/** Answer to `article.status`. `state`: the post's status, `deleted`, or `absent` when the site never had it. */
export const pluginStatusAnswer = z.looseObject({
  ...answer,
  articles: z.array(z.looseObject({ article_id: z.string(), state: z.string(), url: address, edited: z.boolean().nullish().catch(null) })),
});

/** Answer to `site.inventory`. */
export const pluginInventoryAnswer = z.looseObject({
  ...answer,
  posts: z.array(z.looseObject({ slug: z.string(), title: z.string(), link: z.string() })),
});

/** A refusal of the plugin. `site_time`: the site's clock in seconds, of a refusal because of the clock. `retry_after`: seconds. */
export const pluginRefusal = z.looseObject({
  ...answer,
  code: z.string(),
  message: text,
  site_time: z.coerce.number().nullish().catch(null),
  retry_after: z.coerce.number().nullish().catch(null),
});

/*
 * Pick-up: a site that lets no call in asks for what it would have been sent. The request is signed like an event, with the same token; each operation of the
 * answer is an event as it would have been posted, and its result comes with the next request.
 */

/** Where plugins ask, at the product's public address. */
export const pickupPath = '/webhooks/wordpress';

/** How often a plugin asks. */
export const pickupIntervalSeconds = 900;

/** Largest body of such a request: the answer to `site.inventory` is the longest result. */
export const maxPickupBytes = 512 * 1024;

/** Results of one request. */
export const maxPickupResults = 20;

/** The body of a request of the plugin. `status` and `response` of a result are what the plugin would have answered to the pushed event. */
export const pickupRequest = z.looseObject({
  type: z.literal('pickup'),
  data: z.looseObject({
    /** Host of the site's address in lower case, without `www.`; with its port where that is not the scheme's own. */
    host: z.string().min(1).max(300),
    plugin: text,
    wp: text,
    /** As in the answer to `ping`, without proof. */
    capabilities: pluginPingAnswer.omit({ decola: true, proof: true }).catch({ categories: [], authors: [], warnings: [] }).optional(),
    /** False: the site only reports, and wants nothing new. */
    take: z.boolean().catch(true).default(true),
    results: z
      .array(
        z.looseObject({ id: z.string().max(100), status: z.number().int().min(200).max(599), response: z.record(z.string(), z.unknown()) }),
      )
      .max(maxPickupResults)
      .default([]),
  }),
});
export type PickupRequest = z.infer<typeof pickupRequest>;
export type PickupResult = PickupRequest['data']['results'][number];

/** The answer to a site that asks. */
export interface PickupAnswer {
  decola: 1;
  /** Results that need not be sent again: they were stored, or came too late. */
  accepted: string[];
  /** Events as they would have been pushed, in order. None: there is nothing to do now. */
  operations: PickupOperation[];
  next_seconds: number;
}

/** An event for the plugin's handler. The signature covers exactly this body. */
export interface PickupOperation {
  id: string;
  timestamp: string;
  signature: string;
  body: string;
}
