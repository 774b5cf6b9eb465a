import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyChain } from '@decola/contracts';
import { freePort, sizeOf } from '@decola/testing';
import { spinUntilAnswered, startReplica } from './support/replicas.js';
import { type WheelUnderTest, wheelUnderTest } from './support/wheel.js';

const kills = 10;
/** `npm run soak` spins more. */
const spins = Number(process.env['KILLED_DRAWS_SPINS'] ?? sizeOf({ gate: 300, long: 2_000 }));
const visitors = 64;
const perKill = 10;

/** The answer to a spin that won. */
interface Won {
  winner: { id: string };
  participation: { number: number; code: string | null; repeated: boolean };
}

describe('a wheel whose replicas are killed while 64 visitors spin', () => {
  let wheels: WheelUnderTest;
  beforeAll(async () => {
    wheels = await wheelUnderTest();
  });
  afterAll(() => wheels?.dispose());

  it('gives each prize once, each answered winner their own, and announces each lead once', async () => {
    const prizes = [
      { id: 'a', name: 'Caneca', quantity: 70 },
      { id: 'b', name: 'Vale', quantity: 30 },
    ];
    const wheel = await wheels.publish(prizes);
    const ports = [await freePort(), await freePort()];
    const start = (port: number) => startReplica(wheels, port);
    const replicas = await Promise.all(ports.map(start));
    let killed = 0;
    let admitted = 0;
    let lost = 0;

    const answerTo = async (handle: string, spinKey: string): Promise<Won | undefined> => {
      const answer = await spinUntilAnswered(wheels, wheel, ports, { handle, spinKey, onLost: () => (lost += 1) });
      return answer.success ? (answer as Won) : undefined;
    };
    const won = new Map<string, Won>();
    const queue = Array.from({ length: spins }, (_, index) => `pessoa${index}`);
    const play = async () => {
      for (let handle = queue.shift(); handle !== undefined; handle = queue.shift()) {
        // A tenth of the prizes is at stake at each kill.
        while (admitted >= (killed + 1) * perKill && killed < kills) await sleep(2);
        admitted += 1;
        const answer = await answerTo(handle, randomBytes(16).toString('hex'));
        if (answer) won.set(handle, answer);
      }
    };
    const kill = async () => {
      while (killed < kills) {
        while (admitted < (killed + 1) * perKill) await sleep(1);
        await sleep(randomInt(6));
        const which = killed % 2;
        await replicas[which]?.kill();
        killed += 1;
        replicas[which] = await start(ports[which] ?? 0);
      }
    };
    await Promise.all([...Array.from({ length: visitors }, play), kill()]);
    await Promise.all(replicas.map((each) => each.kill()));

    const stored = await wheels.dataSource.query<{ instagram_handle: string; prize_id: string; number: string }[]>(
      'select instagram_handle, prize_id, number from prize_wheel_participations where automation_id = $1 order by number',
      [wheel.automationId],
    );
    expect(stored.map(({ number }) => Number(number))).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(Object.fromEntries(stored.map((row) => [row.instagram_handle.slice(1), row.prize_id]))).toEqual(
      Object.fromEntries([...won].map(([handle, { winner }]) => [handle, winner.id])),
    );
    // Each winner has a code, also those whose first answer was lost with its replica.
    expect([...won.values()].every(({ participation }) => participation.code !== null)).toBe(true);
    expect(await wheel.stock()).toEqual(
      prizes.map(({ id, quantity }) => ({ prize_id: id, total: quantity, given: quantity, remaining: 0 })),
    );
    expect((await wheels.leads(wheel.automationId)).map(({ number }) => number)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    expect(await verifyChain(wheel.automationId, await wheel.chain())).toMatchObject({
      draws: 100,
      checkedDraws: 100,
    });
    // The kills met spins that were under way.
    expect(lost).toBeGreaterThan(0);
    const repeated = [...won.values()].filter(({ participation }) => participation.repeated).length;
    process.stdout.write(`${won.size} winners; ${lost} answers lost with a replica, ${repeated} of them drawn already\n`);
  }, 600_000);
});
