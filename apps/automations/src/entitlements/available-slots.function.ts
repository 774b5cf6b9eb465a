import { defineFunction, RestError } from '@decola/table-api';
import { availableSlots } from './entitlements.js';

/** `get_available_slots`: slots of the plan minus those in use. 0 without a subscription; negative when the plan shrank. */
export const getAvailableSlots = defineFunction({
  name: 'get_available_slots',
  arguments: { p_user_id: 'uuid' },
  returns: 'scalar',
  call: ({ manager, caller }, args) => {
    const userId = args['p_user_id'] as unknown as string;
    if (caller.role !== 'authenticated') throw new RestError(401, '42501', 'permission denied for function get_available_slots');
    if (caller.userId !== userId) throw new RestError(403, '42501', 'permission denied for function get_available_slots');
    return availableSlots(manager, userId);
  },
});
