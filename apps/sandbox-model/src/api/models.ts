import type { FastifyInstance } from 'fastify';
import { models as names, type ModelState } from '../state/model-state.js';
import { requireKey, requireModel } from './access.js';
import { refusalBy } from './refuse.js';

const created = Date.UTC(2026, 10, 1) / 1_000;
const modelOf = (id: string) => ({ id, object: 'model', created, owned_by: 'sandbox' });

/** `GET /v1/models` and `GET /v1/models/{model}`. */
export function models(app: FastifyInstance, state: ModelState): void {
  const meetFault = (text: string) => {
    const fault = state.faults.meet('models', text);
    const refusal = fault && refusalBy(fault, 'models', {});
    if (refusal) throw refusal;
  };
  app.get('/v1/models', (request) => {
    requireKey(request);
    meetFault('');
    return { object: 'list', data: names.map(modelOf) };
  });
  app.get<{ Params: { model: string } }>('/v1/models/:model', (request) => {
    requireKey(request);
    meetFault(request.params.model);
    requireModel(request.params.model);
    return modelOf(request.params.model);
  });
}
