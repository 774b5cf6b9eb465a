import { mergedMetadata } from '../../billing/subscription-changes.js';
import { invalid } from '../../objects/errors.js';
import type { Price, Product } from '../../objects/objects.js';
import type { Parts } from '../parts.js';
import { given, type Handler, type Metadata, nullable, page, text } from './parameters.js';

export function catalogueRoutes({ world }: Parts): Record<string, Handler> {
  return {
    'POST /v1/products': (_path, parameters) => {
      const id = text(parameters, 'id');
      if (id && world.find('product', id)) throw invalid(`Product already exists.`, 'id', 'resource_already_exists');
      const product = world.make<Product>('product', {
        ...(id ? { id } : {}),
        active: (parameters['active'] as boolean | undefined) ?? true,
        description: nullable(text(parameters, 'description')) ?? null,
        metadata: mergedMetadata({}, (parameters['metadata'] as Metadata | undefined) ?? {}),
        name: text(parameters, 'name') ?? '',
        tax_code: null,
        type: 'service',
        updated: world.now(),
        images: parameters['images'] ?? [],
        marketing_features: parameters['marketing_features'] ?? [],
      });
      world.emit('product.created', product);
      return product;
    },
    'GET /v1/products': (_path, parameters) => {
      const { ids, active } = parameters as { ids?: string[]; active?: boolean };
      return page(
        world.all<Product>(
          'product',
          (product) => (!ids || ids.includes(product.id)) && (active === undefined || product.active === active),
        ),
        parameters,
        '/v1/products',
      );
    },
    'GET /v1/products/{id}': ({ id = '' }) => world.get('product', id),
    'POST /v1/products/{id}': ({ id = '' }, parameters) => {
      const product = world.get<Product>('product', id);
      const metadata = parameters['metadata'] as Metadata | undefined;
      const patch = given({
        name: text(parameters, 'name'),
        active: parameters['active'] as boolean | undefined,
        description: nullable(text(parameters, 'description')),
      });
      return world.change(
        product,
        { ...patch, ...(metadata === undefined ? {} : { metadata: mergedMetadata(product.metadata, metadata) }), updated: world.now() },
        'product.updated',
      );
    },
    'DELETE /v1/products/{id}': ({ id = '' }) => {
      const product = world.get<Product>('product', id);
      if (world.all<Price>('price', (price) => price.product === id).length > 0)
        throw invalid('This product cannot be deleted because it has one or more user-created prices.');
      world.remove(product);
      world.emit('product.deleted', product);
      return { id, object: 'product', deleted: true };
    },
    'POST /v1/prices': (_path, parameters) => {
      const productId = text(parameters, 'product');
      if (!productId) throw invalid('You must specify either `product` or `product_data` when creating a price.', 'product');
      world.get('product', productId, 'product');
      const amount = parameters['unit_amount'] as number | undefined;
      if (amount === undefined) throw invalid('Missing required param: unit_amount.', 'unit_amount', 'parameter_missing');
      if (amount < 0) throw invalid('Invalid non-negative integer', 'unit_amount', 'parameter_invalid_integer');
      const lookupKey = text(parameters, 'lookup_key');
      if (lookupKey) {
        const [holder] = world.all<Price>('price', (price) => price.lookup_key === lookupKey);
        if (holder && parameters['transfer_lookup_key'] !== true)
          throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, 'lookup_key');
        if (holder) world.change(holder, { lookup_key: null }, 'price.updated');
      }
      const recurring = parameters['recurring'] as { interval: string; interval_count?: number } | undefined;
      const price = world.make<Price>('price', {
        active: (parameters['active'] as boolean | undefined) ?? true,
        billing_scheme: 'per_unit',
        currency: text(parameters, 'currency') ?? 'brl',
        lookup_key: lookupKey ?? null,
        metadata: mergedMetadata({}, (parameters['metadata'] as Metadata | undefined) ?? {}),
        nickname: text(parameters, 'nickname') ?? null,
        product: productId,
        recurring: recurring
          ? ({
              interval: recurring.interval,
              interval_count: recurring.interval_count ?? 1,
              meter: null,
              trial_period_days: null,
              usage_type: 'licensed',
            } as never)
          : null,
        tax_behavior: text(parameters, 'tax_behavior') ?? 'unspecified',
        type: recurring ? 'recurring' : 'one_time',
        unit_amount: amount,
        unit_amount_decimal: String(amount),
      });
      world.emit('price.created', price);
      return price;
    },
    'GET /v1/prices': (_path, parameters) => {
      const {
        lookup_keys: keys,
        product,
        active,
        type,
      } = parameters as { lookup_keys?: string[]; product?: string; active?: boolean; type?: string };
      return page(
        world.all<Price>(
          'price',
          (price) =>
            (!keys || (price.lookup_key !== null && keys.includes(price.lookup_key))) &&
            (product === undefined || price.product === product) &&
            (active === undefined || price.active === active) &&
            (type === undefined || price['type'] === type),
        ),
        parameters,
        '/v1/prices',
      );
    },
    'GET /v1/prices/{id}': ({ id = '' }) => world.get('price', id),
    'POST /v1/prices/{id}': ({ id = '' }, parameters) => {
      const price = world.get<Price>('price', id);
      const metadata = parameters['metadata'] as Metadata | undefined;
      return world.change(
        price,
        {
          ...given({
            active: parameters['active'] as boolean | undefined,
            nickname: nullable(text(parameters, 'nickname')),
            lookup_key: nullable(text(parameters, 'lookup_key')),
          }),
          ...(metadata === undefined ? {} : { metadata: mergedMetadata(price.metadata, metadata) }),
        },
        'price.updated',
      );
    },
  };
}
