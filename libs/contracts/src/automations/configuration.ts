import { z } from 'zod';
import { frequency } from './frequency.js';
import type { AutomationType } from './tools.js';

/** Bounds of `rowsPerLaunch`, and what the wizard starts with. */
export const actionsPerRun = { min: 1, max: 5, default: 3 } as const;
/** Bounds of the list of comments. */
export const commentCount = { min: 3, max: 10 } as const;

/** Longest texts that are typed into one field, in UTF-16 units, as a page's `maxlength` counts them. */
export const textLimits = { comment: 2_200, targetKeyword: 200, dmMessage: 1_000, replyMessage: 2_200 } as const;

export const prize = z.object({
  id: z.string().min(1).max(100),
  name: z.string().max(200),
  /** Stock, and weight in the draw. */
  quantity: z.number().int().min(0).max(1_000_000),
  type: z.enum(['digital', 'physical']),
  /** Shown to the winner. */
  message: z.string().max(2_000).default(''),
});
export type Prize = z.infer<typeof prize>;

export const leadField = z.object({
  id: z.string().min(1).max(50),
  name: z.string().min(1).max(50),
  label: z.string().max(100),
  required: z.boolean(),
  enabled: z.boolean(),
});
export type LeadField = z.infer<typeof leadField>;

/** The handle is what makes a participation unique: it is always on and always required. */
export const fixedLeadField = 'instagram';

export const defaultLeadFields: readonly LeadField[] = [
  { id: 'nome', name: 'nome', label: 'Nome completo', required: false, enabled: false },
  { id: 'instagram', name: 'instagram', label: 'Instagram (@)', required: true, enabled: true },
  { id: 'whatsapp', name: 'whatsapp', label: 'WhatsApp', required: false, enabled: false },
  { id: 'email', name: 'email', label: 'E-mail', required: false, enabled: false },
  { id: 'telefone', name: 'telefone', label: 'Telefone', required: false, enabled: false },
  { id: 'endereco', name: 'endereco', label: 'Endereço completo', required: false, enabled: false },
];

const longText = z.string().max(20_000);
/** Where a tool finds its people or posts; `slot` reads an extraction of the customer's own. */
const slotSource = {
  dataSource: z.string().max(50).nullish(),
  extractedSlotId: z.string().max(100).nullish(),
  extractedDataId: z.string().max(100).nullish(),
};
const session = {
  /** Write-only: taken out and sealed before anything is stored. */
  sessionCookie: z.string().max(100_000).nullish(),
};
const schedule = {
  frequency: frequency.or(z.literal('')).nullish(),
  rowsPerLaunch: z.union([z.number(), z.string().max(20)]).nullish(),
};
const targets = { targets: longText.nullish() };

function oneOf<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return z.enum(values).or(z.literal('')).nullish();
}

/**
 * Shape of `automations.configuration` by type, as a draft may be: every field may be absent. Whether it is ready to run says
 * `validateAutomation`. Fields of later versions of the page pass through.
 */
export const configurationSchemas = {
  'auto-follow-unfollow': z.looseObject({
    ...session,
    ...schedule,
    ...targets,
    ...slotSource,
    action: oneOf('follow', 'unfollow'),
    method: oneOf('hashtag', 'list', 'slot'),
    /** Ask to follow private accounts too; otherwise they are passed over. */
    requestPrivate: z.boolean().nullish(),
  }),
  'auto-like': z.looseObject({
    ...session,
    ...schedule,
    ...targets,
    ...slotSource,
    action: oneOf('like'),
    method: oneOf('hashtag', 'feed', 'slot'),
  }),
  'auto-comment': z.looseObject({
    ...session,
    ...schedule,
    ...targets,
    ...slotSource,
    action: oneOf('comment'),
    method: oneOf('hashtag', 'slot'),
    commentsList: z.array(z.string().max(textLimits.comment)).max(commentCount.max).nullish(),
    /** The list again, joined by line breaks: a full list of the longest comments fits. */
    comments: z
      .string()
      .max(commentCount.max * (textLimits.comment + 1))
      .nullish(),
  }),
  'mass-story-viewer': z.looseObject({
    ...session,
    ...schedule,
    ...targets,
    ...slotSource,
    action: oneOf('story'),
    method: oneOf('feed', 'hashtag', 'slot'),
  }),
  'followers-following-extractor': z.looseObject({
    ...session,
    ...targets,
    ...slotSource,
    action: oneOf('extract'),
    method: oneOf('user'),
    extractionType: oneOf('followers', 'following'),
  }),
  'post-interactions-extractor': z.looseObject({
    ...session,
    ...targets,
    ...slotSource,
    action: oneOf('extract'),
    method: oneOf('post'),
    interactionType: oneOf('likes', 'comments'),
  }),
  'auto-dm-sender': z.looseObject({
    ...session,
    ...targets,
    action: oneOf('send_dm'),
    method: oneOf('comments'),
    targetKeyword: z.string().max(textLimits.targetKeyword).nullish(),
    replyToComment: z.boolean().nullish(),
    dmMessage: z.string().max(textLimits.dmMessage).nullish(),
    replyMessage: z.string().max(textLimits.replyMessage).nullish(),
  }),
  'prize-extractor': z.looseObject({
    action: oneOf('extract_leads'),
    method: oneOf('prize_wheel'),
    prizes: z.array(prize).max(100).nullish(),
    leadFields: z.array(leadField).max(50).nullish(),
    totalParticipants: z.number().int().nonnegative().nullish(),
    /** Made by the server; one sent by a client is ignored. */
    publicToken: z.string().max(200).nullish(),
  }),
} as const satisfies Record<AutomationType, z.ZodType>;

export type AutomationConfiguration<Type extends AutomationType = AutomationType> = z.infer<(typeof configurationSchemas)[Type]>;

/** What the wizard starts with. */
export function defaultConfiguration<Type extends AutomationType>(type: Type): AutomationConfiguration<Type> {
  const scheduled = { frequency: '', rowsPerLaunch: actionsPerRun.default } as const;
  const starts: { [Each in AutomationType]: AutomationConfiguration<Each> } = {
    'auto-follow-unfollow': { sessionCookie: '', action: '', method: '', targets: '', ...scheduled },
    'auto-like': { sessionCookie: '', action: 'like', method: '', targets: '', ...scheduled },
    'auto-comment': {
      sessionCookie: '',
      action: 'comment',
      method: '',
      targets: '',
      comments: '',
      commentsList: ['', '', ''],
      ...scheduled,
    },
    'mass-story-viewer': { sessionCookie: '', action: 'story', method: '', targets: '', ...scheduled },
    'followers-following-extractor': { sessionCookie: '', action: 'extract', method: 'user', targets: '', extractionType: '' },
    'post-interactions-extractor': { sessionCookie: '', action: 'extract', method: 'post', targets: '', interactionType: '' },
    'auto-dm-sender': {
      sessionCookie: '',
      action: 'send_dm',
      method: 'comments',
      targets: '',
      targetKeyword: '',
      replyToComment: false,
      dmMessage: '',
      replyMessage: '',
    },
    'prize-extractor': {
      action: 'extract_leads',
      method: 'prize_wheel',
      prizes: [{ id: '1', name: '', quantity: 1, type: 'digital', message: '' }],
      leadFields: defaultLeadFields.map((field) => ({ ...field })),
      totalParticipants: 0,
    },
  };
  return starts[type];
}

/** Actions of one run: a number from 1 to 5; 3 when the field holds no number. */
export function actionsPerRunOf(value: unknown): number {
  const parsed = typeof value === 'number' ? value : Number.parseInt(typeof value === 'string' ? value : '', 10);
  if (!Number.isFinite(parsed)) return actionsPerRun.default;
  return Math.min(actionsPerRun.max, Math.max(actionsPerRun.min, Math.trunc(parsed)));
}

/** The extraction that a configuration reads from; null when it reads from none. */
export function sourceExtractionId(configuration: Record<string, unknown>): string | null {
  const usesSlot = configuration['method'] === 'slot' || configuration['dataSource'] === 'extracted';
  if (!usesSlot) return null;
  for (const name of ['extractedDataId', 'extractedSlotId', 'targets']) {
    const value = configuration[name];
    if (typeof value === 'string' && z.uuid().safeParse(value.trim()).success) return value.trim().toLowerCase();
  }
  return null;
}
