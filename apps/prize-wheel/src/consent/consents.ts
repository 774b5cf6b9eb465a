import { createHash } from 'node:crypto';
import {
  type ConsentChannel,
  type ConsentTexts,
  consentTextsVersion,
  type PublicConsent,
  wheelConsentTexts,
  wheelSettings,
  type WheelSettings,
} from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';

/** What a visitor agreed to, as it is stored with the participation. */
export interface GivenConsent {
  version: string;
  /** Hexadecimal; of the sentences shown, which `wheel_consents` keeps. */
  sha256: string;
  accepted: true;
  channels: ConsentChannel[];
  /** ISO 8601. */
  at: string;
}

/** The consent that a wheel asks for now. */
export interface AskedConsent extends PublicConsent {
  sha256: string;
}

const digestLetters = 16;

/** Null for wheels that ask for none. The version names exactly these sentences: it changes with the company, the age, the days and the channels. */
export function askedConsent({ consent, promotion }: WheelSettings): AskedConsent | null {
  if (consent === null) return null;
  const { channels, retentionDays } = consent;
  const { company, minAge, rulesUrl } = promotion;
  const texts = wheelConsentTexts({ company, minAge, rulesUrl, channels, retentionDays });
  const sha256 = digestOf(texts);
  return { version: `${consentTextsVersion}.${sha256.slice(0, digestLetters)}`, channels, retentionDays, texts, sha256 };
}

/** SHA-256 (hexadecimal) of the sentences as compact JSON. */
const digestOf = (texts: ConsentTexts): string => createHash('sha256').update(JSON.stringify(texts)).digest('hex');

/** Keeps the sentences that the wheel shows from now on: every version that a visitor may have seen stays provable. */
export async function keepConsentTexts(
  db: Database,
  { automationId, configuration }: { automationId: string; configuration: unknown },
  now: Date,
): Promise<void> {
  const asked = askedConsent(wheelSettings(configuration));
  if (!asked) return;
  await db.query(
    `insert into wheel_consents (automation_id, version, sha256, texts, since) values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [automationId, asked.version, Buffer.from(asked.sha256, 'hex'), JSON.stringify(asked.texts), now],
  );
}

/** What a visitor's page sends. */
export interface SentConsent {
  version: string;
  accepted: boolean;
  channels?: readonly string[] | null | undefined;
}

/**
 * The consent as it is stored. A page that was opened before the owner's last edit shows the sentences of before: they count as shown.
 * @returns undefined when the visitor did not accept, or names sentences that this wheel never showed
 */
export async function givenConsent(
  db: Database,
  { automationId, asked, sent, now }: { automationId: string; asked: AskedConsent; sent: SentConsent | null | undefined; now: Date },
): Promise<GivenConsent | undefined> {
  if (!sent?.accepted) return undefined;
  const shown = sent.version === asked.version ? asked : await earlierTexts(db, automationId, sent.version);
  if (!shown) return undefined;
  const offered = shown.texts.channels.map(({ channel }) => channel);
  return {
    version: sent.version,
    sha256: shown.sha256,
    accepted: true,
    channels: offered.filter((channel) => sent.channels?.includes(channel)),
    at: now.toISOString(),
  };
}

async function earlierTexts(
  db: Database,
  automationId: string,
  version: string,
): Promise<{ sha256: string; texts: ConsentTexts } | undefined> {
  const row = await rowOf<{ sha256: Buffer; texts: ConsentTexts }>(
    db,
    `select sha256, texts from wheel_consents where automation_id = $1 and version = $2`,
    [automationId, version],
  );
  return row && { sha256: row.sha256.toString('hex'), texts: row.texts };
}
