/** The stages of `npm test`. */

export const stageNames = ['build', 'integration', 'journeys', 'lint', 'typecheck', 'unit'];

/** Stages whose tests run the built services: they include the build. */
const needs = { integration: ['build'], journeys: ['build'] };

/** @param {string[]} only the requested stages; none means all @returns {Set<string>} these and the stages that they need */
export function stagesFor(only) {
  return new Set((only.length > 0 ? only : stageNames).flatMap((name) => [name, ...(needs[name] ?? [])]));
}
