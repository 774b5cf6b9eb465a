import { isInOperation, type ToolType } from '@decola/contracts';
import { useSlots } from '../../session/subscription';

interface ToolRoom {
  /** No slot is free for the tool. */
  isFull: boolean;
  /** The tool is in operation. Others can only be saved as drafts, which need no slot. */
  isRunning: boolean;
}

/** Whether a tool can be used now. While the number of free slots is unknown, the wizard and the server decide. */
export function useToolRoom(): (type: ToolType) => ToolRoom {
  const slots = useSlots();
  return (type) => {
    const isRunning = isInOperation(type);
    return { isFull: slots.isSuccess && slots.data <= 0, isRunning };
  };
}
