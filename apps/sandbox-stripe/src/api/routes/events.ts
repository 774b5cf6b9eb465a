import { mergedMetadata } from '../../billing/subscription-changes.js';
import { invalid, missing } from '../../objects/errors.js';
import type { StripeEvent, WebhookEndpoint } from '../../objects/objects.js';
import { apiVersion } from '../../objects/schema.js';
import { randomText } from '../../objects/world.js';
import type { Parts } from '../parts.js';
import { given, type Handler, matchesTime, type Metadata, nullable, page, text, type TimeFilter } from './parameters.js';

export function eventRoutes({ world }: Parts): Record<string, Handler> {
  return {
    'GET /v1/events': (_path, parameters) => {
      const {
        type,
        types,
        created,
        delivery_success: delivered,
      } = parameters as {
        type?: string;
        types?: string[];
        created?: TimeFilter;
        delivery_success?: boolean;
      };
      const wanted = (event: StripeEvent) =>
        (type === undefined || event.type === type || (type.endsWith('*') && event.type.startsWith(type.slice(0, -1)))) &&
        (!types || types.includes(event.type)) &&
        (delivered === undefined || (event.pending_webhooks === 0) === delivered) &&
        matchesTime(event.created, created);
      return page(world.events.filter(wanted).reverse(), parameters, '/v1/events');
    },
    'GET /v1/events/{id}': ({ id = '' }) => {
      const event = world.events.find((each) => each.id === id);
      if (!event) throw missing('event', id);
      return event;
    },
    'POST /v1/webhook_endpoints': (_path, parameters) => {
      const url = text(parameters, 'url') ?? '';
      if (!/^https?:\/\//.test(url))
        throw invalid('Invalid URL: An explicit scheme (such as https) must be provided.', 'url', 'url_invalid');
      const version = text(parameters, 'api_version');
      if (version && version !== apiVersion) throw invalid(`This account sends events of ${apiVersion} only.`, 'api_version');
      const endpoint = world.make<WebhookEndpoint>('webhook_endpoint', {
        api_version: version ?? null,
        description: text(parameters, 'description') ?? null,
        enabled_events: parameters['enabled_events'] as string[],
        metadata: mergedMetadata({}, (parameters['metadata'] as Metadata | undefined) ?? {}),
        status: 'enabled',
        url,
      });
      const secret = `whsec_${randomText(32)}`;
      world.secrets.set(endpoint.id, [secret]);
      return { ...endpoint, secret };
    },
    'GET /v1/webhook_endpoints': (_path, parameters) =>
      page(world.all<WebhookEndpoint>('webhook_endpoint'), parameters, '/v1/webhook_endpoints'),
    'GET /v1/webhook_endpoints/{id}': ({ id = '' }) => world.get('webhook_endpoint', id),
    'POST /v1/webhook_endpoints/{id}': ({ id = '' }, parameters) => {
      const endpoint = world.get<WebhookEndpoint>('webhook_endpoint', id);
      const disabled = parameters['disabled'] as boolean | undefined;
      return world.change(endpoint, {
        ...given({
          url: text(parameters, 'url'),
          enabled_events: parameters['enabled_events'] as string[] | undefined,
          description: nullable(text(parameters, 'description')),
        }),
        ...(disabled === undefined ? {} : { status: disabled ? ('disabled' as const) : ('enabled' as const) }),
      });
    },
    'DELETE /v1/webhook_endpoints/{id}': ({ id = '' }) => {
      world.remove(world.get('webhook_endpoint', id));
      world.secrets.delete(id);
      return { id, object: 'webhook_endpoint', deleted: true };
    },
  };
}
