import { z } from 'zod';

/** Answers of the model, as its server is asked for them. Lengths are repaired afterwards. */
export const topicsAnswer = z.object({
  topics: z
    .array(
      z.object({
        title: z.string().min(1),
        focusKeyword: z.string().min(1),
        cluster: z.string(),
        intent: z.string(),
        angle: z.string(),
        why: z.string(),
      }),
    )
    .min(1),
});

export const outlineAnswer = z.object({
  title: z.string().min(1),
  slug: z.string(),
  metaTitle: z.string(),
  metaDescription: z.string(),
  excerpt: z.string(),
  category: z.string(),
  tags: z.array(z.string()),
  imageBrief: z.string(),
  imageAlt: z.string(),
  sections: z
    .array(z.object({ heading: z.string().min(1), level: z.number(), points: z.array(z.string()), linkRefs: z.array(z.number()) }))
    .min(1),
});
export type Outline = z.infer<typeof outlineAnswer>;

/** The model's opinion of its text. It is advice: what decides is the gate. */
export const reviewAnswer = z.object({
  scores: z.object({ useful: z.number(), original: z.number(), clear: z.number(), brand: z.number() }),
  claims: z.array(
    z.object({ quote: z.string(), kind: z.string(), factRef: z.union([z.string(), z.number()]).nullable(), verdict: z.string() }),
  ),
  problems: z.array(z.object({ quote: z.string(), rule: z.string(), fix: z.string() })),
});
export type Review = z.infer<typeof reviewAnswer>;
