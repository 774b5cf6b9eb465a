import { type Done, type PointChoice, pointsOf } from './crash-choice.js';

/** What a service does that receives an event, changes a row, and tells of it. Nothing comes from outside after the delivery. */
const life: Done[] = [
  operation('deliver list.done', { isEffect: false, hasAnswer: false }),
  operation('select 1 from inbox', { isEffect: false }),
  operation('commit of insert inbox, update runs set state, insert outbox', { followsInput: true }),
  operation('publish run.changed'),
  operation('ack list.done'),
  operation('update outbox set sent_at on its own'),
  operation('publish run.changed', { occurrence: 2 }),
];

function operation(
  name: string,
  { isEffect = true, hasAnswer = true, occurrence = 1, followsInput = false }: Partial<Done['operation'] & Done> = {},
): Done {
  return { operation: { key: name, name, isEffect, hasAnswer }, occurrence, followsInput };
}

const namesOf = (operations: readonly Done[], choice: PointChoice) => pointsOf(operations, choice).map(({ name }) => name);

describe('crash points', () => {
  it('are both sides of every operation, but a message from the server has only one', () => {
    const names = namesOf(life, 'all');
    expect(names).toHaveLength(life.length * 2 - 1);
    expect(names).toEqual(
      expect.arrayContaining(['crash before deliver list.done', 'crash after publish run.changed (2), before its answer']),
    );
    expect(names).not.toContain('crash after deliver list.done, before its answer');
  });

  it('of kinds are the first effect of each kind, and before it only when something came from outside', () => {
    expect(namesOf(life, 'kinds')).toEqual([
      'crash before commit of insert inbox, update runs set state, insert outbox',
      'crash after commit of insert inbox, update runs set state, insert outbox, before its answer',
      'crash after publish run.changed, before its answer',
      'crash after ack list.done, before its answer',
      'crash after update outbox set sent_at on its own, before its answer',
    ]);
  });

  it('of its own lack what messaging does alone: the rollback of what an event did, its acknowledgement, and what the relay does with an event', () => {
    expect(namesOf(life, 'own')).toEqual(['crash after commit of insert inbox, update runs set state, insert outbox, before its answer']);
  });

  it.each(['publish queue browser.run', 'publish answer'])('of its own keep that its receiver gets it twice, or not: %s', (name) => {
    expect(namesOf([operation(name, { followsInput: true })], 'own')).toEqual([`crash after ${name}, before its answer`]);
  });

  it('of its own keep the acknowledgement of a job, and what the service commits or writes without an event', () => {
    const own = [
      'ack queue browser.run',
      'commit of insert runs, insert outbox',
      'update runs set seen_at on its own',
      'insert outbox on its own',
    ];
    for (const name of own)
      expect(namesOf([operation(name, { followsInput: true })], 'own')).toEqual([
        `crash before ${name}`,
        `crash after ${name}, before its answer`,
      ]);
  });

  it('are numbered from 1 in the order of the operations', () => {
    expect(pointsOf(life, 'kinds').map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  });
});
