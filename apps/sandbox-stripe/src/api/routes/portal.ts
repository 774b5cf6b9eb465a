import type { PortalConfiguration } from '../../objects/objects.js';
import type { Parts } from '../parts.js';
import { type Handler, page } from './parameters.js';

export function portalRoutes({ world, portal }: Parts): Record<string, Handler> {
  const object = 'billing_portal.configuration';
  return {
    'POST /v1/billing_portal/configurations': (_path, parameters) => portal.configure(parameters),
    'GET /v1/billing_portal/configurations': (_path, parameters) => {
      const { active, is_default: isDefault } = parameters as { active?: boolean; is_default?: boolean };
      return page(
        world.all<PortalConfiguration>(
          object,
          (each) => (active === undefined || each.active === active) && (isDefault === undefined || each.is_default === isDefault),
        ),
        parameters,
        '/v1/billing_portal/configurations',
      );
    },
    'GET /v1/billing_portal/configurations/{id}': ({ id = '' }) => world.get(object, id),
    'POST /v1/billing_portal/configurations/{id}': ({ id = '' }, parameters) =>
      portal.configure(parameters, world.get<PortalConfiguration>(object, id)),
    'POST /v1/billing_portal/sessions': (_path, parameters) => portal.open(parameters),
  };
}
