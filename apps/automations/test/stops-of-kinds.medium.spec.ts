import { type RunKind, runKinds, type StopClass } from '@decola/contracts';
import { casesOf } from '@decola/testing';
import { hourMs, RunKit, targetFor } from './run-kit.js';
import { kindsWithoutRows, kindsWithRows, rowsOfKind } from './rows-of-kinds.js';
import type { Bench } from './support.js';

/**
 * What a stop signal pauses: every automation of the account (`account`), the one that ran (`this`), or none, so that it waits and goes on by itself
 * (`none`); and what its customer reads about what to do.
 */
interface Effect {
  readonly pauses: 'account' | 'this' | 'none';
  readonly says: RegExp;
}

const stops: Readonly<Record<Exclude<StopClass, 'silent_block' | 'refused'>, Effect>> = {
  action_blocked: { pauses: 'account', says: /Voltamos sozinhos em .*, com metade do ritmo\. Até lá, evite curtir/ },
  action_blocked_long: { pauses: 'account', says: /Confira no aplicativo se o bloqueio acabou e ligue a automação de novo/ },
  unrecognised: {
    pauses: 'account',
    says: /ainda não sabemos explicar .* Por segurança, paramos tudo na conta\. Confira no aplicativo .* ligue a automação/,
  },
  challenge: { pauses: 'account', says: /Entre no Instagram pelo navegador e conclua a confirmação/ },
  suspended: { pauses: 'account', says: /Recorra pelo aplicativo do Instagram/ },
  session_ended: { pauses: 'account', says: /Entre na conta pelo navegador e cole um novo cookie aqui/ },
  wrong_account: { pauses: 'account', says: /Cole o cookie da conta certa aqui/ },
  limited: { pauses: 'account', says: /pediu para esperar .* Voltamos sozinhos em .* entre na conta pelo navegador/ },
  rate_limited: { pauses: 'account', says: /acessos demais .* Voltamos sozinhos em .* Você não precisa fazer nada/ },
  site_trouble: { pauses: 'account', says: /está com problemas .* Voltamos sozinhos em .* Você não precisa fazer nada/ },
  list_withheld: { pauses: 'this', says: /deixou de mostrar listas .* o resto da conta continua/ },
  unknown_language: { pauses: 'this', says: /Mude o idioma nas configurações da conta e ligue a automação de novo/ },
  site_changed: { pauses: 'none', says: /página que não conhecemos .* abra o Instagram pelo navegador e veja se ele pede alguma coisa/ },
  no_connection: { pauses: 'none', says: /sem conexão com o Instagram .* você não precisa fazer nada/ },
  lease_lost: { pauses: 'none', says: /Continuamos de onde parou\. Você não precisa fazer nada/ },
  worker_stopped: { pauses: 'none', says: /Continuamos de onde parou\. Você não precisa fazer nada/ },
};

/** The same for two tries of an action in a row with these outcomes. */
const tries = {
  refused: /duas vezes seguidas .* Paramos esta ação na conta\. Voltamos sozinhos em .* evite fazer o mesmo pelo aplicativo/,
  not_confirmed: /sem avisar .* Paramos esta ação na conta\. Voltamos sozinhos em .* evite fazer o mesmo pelo aplicativo/,
};

describe('for every kind of run', () => {
  const kit = new RunKit();
  let bench: Bench;
  beforeAll(async () => {
    bench = await kit.start();
  });
  afterAll(() => kit.stop());

  type Run = Awaited<ReturnType<typeof kit.runOfKind>>;

  it('stop signals are tested: add a missing kind to rows-of-kinds.ts', () => {
    expect(kindsWithoutRows).toEqual([]);
  });

  /** Another automation of the same account and session, which does something else when the account is free. */
  const siblingOf = ({ kind, userId, account }: Run): Promise<string> => {
    const [row] = rowsOfKind(kind === 'like' ? 'view-story' : 'like', '');
    return bench.made(userId, {
      type: row!.type,
      configuration: { sessionCookie: '', sessionAccount: account, frequency: '1hour', rowsPerLaunch: 5, ...row!.configuration },
    });
  };

  /** Runs of all these kinds with a sibling each. */
  const runsWithSiblings = async (wanted: readonly { kind: RunKind; row?: number }[]) => {
    const runs = await kit.runsOfKinds(wanted);
    return Promise.all(runs.map(async (run) => ({ ...run, sibling: await siblingOf(run) })));
  };

  const jobsOf = async (...ids: string[]) => (await bench.jobs()).filter(({ automationId }) => ids.includes(automationId ?? '')).length;

  it.each(Object.entries(stops))('%s pauses what it is about, and says what to do', async (stop, { pauses, says }) => {
    const possible = kindsWithRows.filter((kind) => stop !== 'list_withheld' || kind === 'extract-list');
    // In the gate one kind that acts and one that only reads.
    const kinds = casesOf(possible, (kind) => runKinds[kind].actions.length > 0);
    const runs = await runsWithSiblings(kinds.map((kind) => ({ kind })));
    // The run had done something, so that the account is known to be its customer's.
    const did = (run: Run) => (run.action ? { tried: 1, confirmed: 1 } : { pages: 1 });
    await Promise.all(
      runs.map((run) =>
        kit.finish(run.job, run.fence, {
          outcome: 'stopped',
          stop: { class: stop, row: null, action: run.action, evidence: { landmark: run.id } },
          ...did(run),
        }),
      ),
    );
    await bench.tick();
    for (const { kind, userId, id, sibling } of runs) {
      const [own, other] = [await bench.automation(userId, id), await bench.automation(userId, sibling)];
      expect({ kind, words: `${own.status_reason} / ${own.last_run?.reason}` }).toEqual({ kind, words: expect.stringMatching(says) });
      const paused = { is_active: false, status: 'blocked', next_run_at: null };
      expect({ kind, ...own }).toMatchObject({ kind, ...(pauses === 'none' ? { is_active: true } : paused) });
      if (pauses === 'account') expect({ kind, ...other }).toMatchObject({ kind, ...paused, status_reason: own.status_reason });
      else expect({ kind, ...other }).toMatchObject({ kind, is_active: true });
      // One of the two uses the account next.
      expect({ kind, jobs: await jobsOf(id, sibling) }).toEqual({ kind, jobs: pauses === 'account' ? 1 : 2 });
    }
  });

  it.each(Object.entries(tries))('an action that was %s twice in a row stops, and nothing else of the account', async (outcome, says) => {
    const wanted = kindsWithRows.flatMap((kind) =>
      runKinds[kind].actions.map((action) => ({ kind, action, row: rowsOfKind(kind, '').length - 1 })),
    );
    const runs = await runsWithSiblings(wanted);
    await Promise.all(
      runs.map(async (run, index) => {
        const { action } = wanted[index]!;
        const { userId, id, job, fence } = run;
        const targets = action === run.action ? run.targets : [targetFor(action), targetFor(action), targetFor(action)];
        for (const target of targets.slice(0, 2)) {
          expect(await bench.automation(userId, id)).toMatchObject({ is_active: true });
          await kit.act(job, fence, await kit.reserveOne(job, target, fence, action), outcome, { action });
        }
        expect(await kit.reserve(job, [targets[2]!], fence, action)).toMatchObject({ reserved: [], stop: 'account_paused' });
        await kit.finish(job, fence, { outcome: 'partial', tried: 2 });
      }),
    );
    await bench.tick();
    for (const [index, { userId, id, sibling }] of runs.entries()) {
      const { action } = wanted[index]!;
      expect({ action, ...(await bench.automation(userId, id)) }).toMatchObject({
        action,
        is_active: false,
        status: 'blocked',
        status_reason: expect.stringMatching(says),
      });
      expect({ action, jobs: await jobsOf(sibling) }).toEqual({ action, jobs: 1 });
    }
    kit.later(24 * hourMs + 60_000);
    await bench.tick();
    for (const { userId, id } of runs) expect(await bench.automation(userId, id)).toMatchObject({ is_active: true });
  });

  it('a changed site that accounts of two customers saw makes everybody wait, and asks nobody to do anything', async () => {
    // Automations of other tests must not be the probe.
    await bench.db.query('update automations set is_active = false');
    const first = await runsWithSiblings(kindsWithRows.map((kind) => ({ kind })));
    const second = await kit.runsOfKinds(kindsWithRows.map((kind) => ({ kind })));
    await Promise.all(
      [...first, ...second].map(({ kind, job, fence }) =>
        kit.finish(job, fence, {
          outcome: 'stopped',
          stop: { class: 'site_changed', row: 16, action: null, evidence: { landmark: `of ${kind}` } },
          ...(runKinds[kind].actions.length > 0 ? { tried: 1, confirmed: 1 } : { pages: 1 }),
        }),
      ),
    );
    expect((await bench.db.query('select kind from kind_pauses')).map(({ kind }: { kind: string }) => kind).sort()).toEqual(
      [...kindsWithRows].sort(),
    );
    const third = await Promise.all(kindsWithRows.map((kind) => kit.automationOfKind(kind)));
    await bench.tick();
    for (const { kind, userId, id } of third) {
      const row = await bench.automation(userId, id);
      expect({ kind, jobs: await jobsOf(id), ...row }).toMatchObject({
        kind,
        jobs: 0,
        is_active: true,
        status: 'waiting',
        status_reason: expect.stringMatching(/Nossa equipe já foi avisada.*Você não precisa fazer nada/),
      });
    }
  });
});
