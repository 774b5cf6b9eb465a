import { commitmentOf } from '@decola/contracts/wheel-chain';
import type { PrizeReceipt } from '@decola/contracts/wheel-receipt';
import { type Check, checksOf } from '../audit/checks';
import { ownVerdict } from '../audit/own-draw';
import { publishedAudit } from '../audit/published-audit';
import { verifyAudit } from '../audit/verify-audit';
import { proofTexts as texts } from './texts';

/**
 * Proves the draw of a receipt in this browser: the seed against what was promised, and, where the wheel's audit is published, the whole chain up to the
 * draw with its hash.
 * @throws Error when the audit cannot be fetched or read
 */
export async function proveDraw({ number, hash, commitment, seed, audit }: PrizeReceipt): Promise<Check[]> {
  if (seed === null) return [];
  const isKept = (await commitmentOf(seed)) === commitment;
  const kept: Check = isKept
    ? { result: 'ok', title: texts.seedKept, text: texts.seedKeptText }
    : { result: 'bad', title: texts.seedDiffers, text: texts.seedDiffersText };
  const notPublished: Check = { result: 'off', title: texts.notPublished, text: texts.notPublishedText };
  if (audit === null) return [kept, notPublished];
  const file = await publishedAudit(audit.automationId);
  if (file === 'not_published') return [kept, notPublished];
  if (file === 'failed') throw new Error('the audit cannot be fetched');
  const verified = await verifyAudit(file, () => undefined);
  try {
    const own = { number, hash, verdict: await ownVerdict(verified, { number, hash }) };
    const checks = checksOf(verified.report, own);
    return isKept ? checks : [kept, ...checks];
  } finally {
    verified.close();
  }
}
