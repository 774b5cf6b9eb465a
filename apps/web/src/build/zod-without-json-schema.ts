import type { Plugin } from 'vite';

const conversions = [
  [/^ *inst\._zod\.processJSONSchema = .*;$/gm, ''],
  [/createStandardJSONSchemaMethod\(this, "(?:in|out)put"\)/g, 'undefined'],
  [/createToJSONSchemaMethod\(this, \{\}\)\(params\)/g, 'undefined'],
] as const;

/** Leaves out of zod what converts schemas to JSON Schema, a quarter of it: no page does that, and a bundler cannot know, because every schema has the method. */
export function zodWithoutJsonSchema(): Plugin {
  return {
    name: 'zod-without-json-schema',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler(code) {
        return {
          code: conversions.reduce((text, [pattern, replacement]) => {
            if (text.search(pattern) < 0) this.error(`zod has changed: ${pattern.source} is not in it`);
            return text.replace(pattern, replacement);
          }, code),
          map: null,
        };
      },
    },
  };
}
