import { unjudgedActions } from './simulation/rules-of-the-network.js';
import { kindsWithoutRows } from '../../automations/test/rows-of-kinds.js';
import { unsimulatedKinds } from './simulation/simulated-screens.js';
import { type Outcome, Simulation } from './simulation/simulation.js';

const automations = Number(process.env['SIMULATION_AUTOMATIONS'] ?? 1_000);
const customers = Number(process.env['SIMULATION_CUSTOMERS'] ?? 50);
const days = Number(process.env['SIMULATION_DAYS'] ?? 3);
const seed = Number(process.env['SIMULATION_SEED'] ?? 7);

describe(`${automations} automations of ${customers} customers in ${days} days`, () => {
  let simulation: Simulation;
  let outcome: Outcome;

  beforeAll(async () => {
    const log = (line: string) => process.stdout.write(`simulation: ${line}\n`);
    simulation = await Simulation.start({ automations, customers, days, seed, start: new Date('2026-10-31T00:00:00Z'), log });
    outcome = await simulation.run();
    log(JSON.stringify(outcome.figures, null, 2));
  }, 6 * 3_600_000);
  afterAll(() => simulation?.stop());

  it('simulate every kind of run (add a missing one to simulated-screens.ts and rows-of-kinds.ts) and judge every action', () => {
    expect({ unsimulatedKinds, kindsWithoutRows, unjudgedActions }).toEqual({
      unsimulatedKinds: [],
      kindsWithoutRows: [],
      unjudgedActions: [],
    });
  });
  it('keep every promise about accounts', () => {
    expect(outcome.violations.slice(0, 30)).toEqual([]);
  });
  it('begin their runs within a minute of their time', () => {
    expect(outcome.drifts.length).toBeGreaterThan(0);
    expect(outcome.late).toEqual([]);
  });
});
