import { randomUUID } from 'node:crypto';
import { type LedgerTarget, slotTargets } from '@decola/contracts';
import { connectBroker, requestQueueOf } from '@decola/messaging';
import type { ConfirmChannel } from 'amqplib';
import { mostKept } from '../src/keep-list/keep-list.js';
import { person } from './run-kit.js';
import { Bench, type Json } from './support.js';

describe('import_keep_list', () => {
  let bench: Bench;
  let connection: ReturnType<typeof connectBroker>;
  /** What extraction knows: people by list and owner. */
  const lists = new Map<string, LedgerTarget[]>();
  let requests = 0;

  /** Answers as extraction does: pages of a list of its owner, nobody for any other. */
  const answer = (request: Json): Json => {
    requests += 1;
    const { userId, extractedDataId, offset, limit } = slotTargets.request.parse(request);
    const people = lists.get(`${userId} ${extractedDataId}`) ?? [];
    return { targets: people.slice(offset, offset + limit), nextOffset: offset + limit < people.length ? offset + limit : null };
  };
  beforeAll(async () => {
    bench = await Bench.start();
    connection = connectBroker(bench.broker.url, 'extraction');
    const channel = connection.createChannel({
      setup: async (raw: ConfirmChannel) => {
        const queue = requestQueueOf(slotTargets.type);
        await raw.assertQueue(queue);
        await raw.consume(queue, (message) => {
          if (!message) return;
          const { replyTo, correlationId } = message.properties as { replyTo: string; correlationId: string };
          const reply = { ok: true, answer: answer(JSON.parse(message.content.toString('utf8'))) };
          raw.sendToQueue(replyTo, Buffer.from(JSON.stringify(reply)), { correlationId });
          raw.ack(message);
        });
      },
    });
    await channel.waitForConnect();
  });
  afterAll(async () => {
    await connection?.close();
    await bench?.stop();
  });

  const customer = async () => {
    const userId = await bench.customer(2);
    await bench.made(userId);
    const [account] = await bench.db.query('select id, account_key from instagram_accounts where user_id = $1', [userId]);
    return { userId, accountId: account.id as string, accountKey: account.account_key as string };
  };
  const listOf = (userId: string, people: LedgerTarget[]) => {
    const id = randomUUID();
    lists.set(`${userId} ${id}`, people);
    return id;
  };
  const imported = (as: string | null, accountId: string, list: string) =>
    bench.call('POST', 'rpc/import_keep_list', as, { p_account_id: accountId, p_extracted_data_id: list });
  const keepList = async (userId: string) => (await bench.call('GET', 'instagram_accounts?select=keep_list', userId)).body[0].keep_list;

  it('adds everybody of a list to those who are kept already, by name and by id, and once only', async () => {
    const { userId, accountId, accountKey } = await customer();
    await bench.call('PATCH', `instagram_accounts?id=eq.${accountId}`, userId, { keep_list: ['amiga'] });
    const people = Array.from({ length: 1_200 }, () => person());
    const list = listOf(userId, [...people, { ...person(), username: 'amiga' }]);
    requests = 0;
    expect(await imported(userId, accountId, list)).toEqual({ status: 200, body: 1_201 });
    expect(requests).toBe(3);
    expect(await imported(userId, accountId, list)).toEqual({ status: 200, body: 1_201 });
    expect(await keepList(userId)).toEqual(['amiga', ...people.map(({ username }) => username)]);
    const rows = await bench.db.query('select username, target_id from keep_list where account_key = $1', [accountKey]);
    const idOf = new Map(rows.map(({ username, target_id }: Json) => [username, target_id]));
    expect(idOf.size).toBe(1_201);
    expect(people.filter(({ username, targetId }) => idOf.get(username) !== targetId)).toEqual([]);
  });

  it('refuses what is not the caller’s, an empty list, and more people than a keep list holds', async () => {
    const [one, other] = [await customer(), await customer()];
    const list = listOf(one.userId, [person()]);
    expect((await imported(other.userId, one.accountId, list)).status).toBe(403);
    expect((await imported(null, one.accountId, list)).status).toBe(401);
    const empty = {
      status: 400,
      body: expect.objectContaining({ message: 'Esta lista não tem ninguém. Escolha uma extração que já tenha pessoas.' }),
    };
    expect(await imported(other.userId, other.accountId, list)).toEqual(empty);
    const names = Array.from({ length: mostKept }, (_, n) => `pessoa.${n}`);
    await bench.db.query('update instagram_accounts set keep_list = $2 where id = $1', [one.accountId, names]);
    expect(await imported(one.userId, one.accountId, list)).toMatchObject({
      status: 400,
      body: { message: 'A lista pode ter no máximo 10.000 perfis.' },
    });
    expect(await keepList(one.userId)).toEqual(names);
  });

  it('keeps as many people as an account can follow', async () => {
    const { userId, accountId } = await customer();
    const people = Array.from({ length: 7_500 }, (_, n) => ({ targetId: String(10_000_000 + n), username: `seguida.${n}` }));
    expect(await imported(userId, accountId, listOf(userId, people))).toEqual({ status: 200, body: 7_500 });
    expect(await keepList(userId)).toHaveLength(7_500);
  });
});
