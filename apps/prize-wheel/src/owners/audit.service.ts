import { Readable } from 'node:stream';
import { type AuditHeading, wheelSettings } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { Refusal, UnauthenticatedError } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { chainLines } from '../draws/chain-lines.js';
import { ownerTexts } from '../texts/texts.js';

interface WheelRow {
  user_id: string;
  name: string;
  configuration: unknown;
  round: number;
  drawn: string;
  is_open: boolean;
}

/** The chain of a wheel as a file of JSON lines. */
@Injectable()
export class Audits {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The owner gets the file at any time. Everybody else gets it when the owner publishes it, and only between rounds: it shows the stock.
   * @param userId null for anonymous callers
   * @throws Refusal 404, or UnauthenticatedError for anonymous callers, when the file is not for them
   */
  async file(userId: string | null, automationId: string): Promise<Readable> {
    const wheel = await rowOf<WheelRow>(
      this.dataSource.manager,
      `select w.user_id, w.name, w.configuration, d.round, d.drawn, d.is_open from wheel_draws d join wheels w using (automation_id) where automation_id = $1`,
      [automationId],
    );
    if (!wheel || (wheel.user_id !== userId && !isPublic(wheel)))
      throw userId === null ? new UnauthenticatedError() : new Refusal(404, 'not_found', ownerTexts.unknownWheel);
    const heading: AuditHeading = { format: 'decola-chain-v1', automation: automationId, round: wheel.round, name: wheel.name };
    return Readable.from(this.textOf(heading, Number(wheel.drawn)), { objectMode: false });
  }

  /** Ends with the draws that there were at the beginning: lines that come meanwhile belong to the next file. */
  private async *textOf(heading: AuditHeading, drawn: number): AsyncGenerator<string> {
    yield `${JSON.stringify(heading)}\n`;
    for await (const lines of chainLines(this.dataSource.manager, heading.automation, drawn)) {
      if (lines.length > 0) yield lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    }
  }
}

/** Whether the owner publishes the chain, and nothing of it is secret now. */
const isPublic = ({ configuration, is_open: isOpen, round }: WheelRow): boolean =>
  round > 0 && !isOpen && wheelSettings(configuration).options.publishAudit;
