import NativeEnvironment = require('./native-environment.cjs');
/** Environment of tests of the web app. */
declare class BrowserEnvironment extends NativeEnvironment {
  constructor(options: { projectConfig: { testEnvironmentOptions: { customExportConditions?: string[] } } }, context: { console: Console });
}
export = BrowserEnvironment;
