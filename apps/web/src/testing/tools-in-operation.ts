import { type AutomationType, toolsInOperation } from '@decola/contracts';

/** The catalogue's own list of tools in operation, which tests change. */
const running = toolsInOperation as AutomationType[];
const released = [...running];

/** Puts a tool into operation, as a release with this tool would, or takes it out of it. */
export function setInOperation(type: AutomationType, isInOperation: boolean): void {
  const others = running.filter((each) => each !== type);
  running.splice(0, running.length, ...others, ...(isInOperation ? [type] : []));
}

/** Undoes every `setInOperation`. */
export const resetOperation = () => running.splice(0, running.length, ...released);
