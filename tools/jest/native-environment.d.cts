/** Environment of tests that run on Node. */
declare class NativeEnvironment {
  constructor(options: { projectConfig: { testEnvironmentOptions: { customExportConditions?: string[] } } });
  teardown(): Promise<void>;
}
export = NativeEnvironment;
