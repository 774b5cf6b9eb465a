/** States of the delivery of an article to a customer's site. */
export const deliveryStates = [
  'pending',
  'preparing',
  'illustrating',
  'publishing',
  /** A draft on the site, as the customer wants it. */
  'accepted',
  'published',
  /** Published, and found at its public address. */
  'seen',
  'not_seen',
  'retrying',
  /** The site lets no call of ours in; its plugin will ask for the article. */
  'waiting_pickup',
  'blocked',
  'edited_by_owner',
  'withdrawn',
  /** The site answered 410. */
  'gone',
  'given_up',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** A delivery in one of these is on the site. */
export const deliveredStates = ['accepted', 'published', 'seen', 'not_seen', 'edited_by_owner'] as const satisfies readonly DeliveryState[];
/** A delivery in one of these is still to be made, and has a time of its next attempt. */
export const openDeliveryStates = [
  'pending',
  'preparing',
  'illustrating',
  'publishing',
  'retrying',
  'waiting_pickup',
] as const satisfies readonly DeliveryState[];
