import { completeConfigurations } from '@decola/contracts/wizard-inputs';
import { openWizard } from '../../wizard.testing';

type World = NonNullable<Parameters<typeof openWizard>[1]>;

export const wheelId = '6b1f0c52-6a1f-4f0e-9c8e-3a1d2b4c5d6e';
export const complete = completeConfigurations['prize-extractor'];

/** A prize as `prize-stats` tells of it. */
export const stockOf = (id: string, total: number, given: number) => ({
  id,
  name: 'Brinde',
  type: 'digital',
  total,
  given,
  remaining: Math.max(0, total - given),
  delivered: 0,
  isRemoved: false,
});

interface WheelWorld extends World {
  isDraft?: boolean;
  isActive?: boolean;
  configuration?: Record<string, unknown>;
  step?: number;
  stock?: ReturnType<typeof stockOf>[];
}

/** Opens a stored wheel, published unless it is a draft. */
export const openWheel = ({
  isDraft = false,
  isActive = !isDraft,
  configuration = {},
  step = 1,
  stock = [],
  routes = {},
  ...world
}: WheelWorld = {}) =>
  openWizard(`/automation/prize-extractor?edit=${wheelId}&passo=${step}`, {
    stored: {
      name: 'Roleta da Ana',
      type: 'prize-extractor',
      is_draft: isDraft,
      is_active: isActive,
      configuration: { ...complete, ...(isDraft ? {} : { publicToken: 'abc/def' }), ...configuration },
      instagram_account_id: null,
      pause_cause: null,
    },
    routes: { 'POST /functions/v1/prize-stats': () => ({ body: { success: true, prizes: stock } }), ...routes },
    ...world,
  });
