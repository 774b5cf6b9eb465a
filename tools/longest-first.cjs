/** Order of test files: longest first, by what they took in an earlier run; a file that nobody timed counts as ten seconds. */
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const seconds = require('./test-seconds.json');

const root = path.resolve(__dirname, '..');

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const secondsOf = ({ path: file }) => seconds[path.relative(root, file)] ?? 10;
    return [...tests].sort((one, other) => secondsOf(other) - secondsOf(one));
  }
};
