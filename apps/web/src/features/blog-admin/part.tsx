import { Component, type ReactNode, Suspense } from 'react';

interface PartProps {
  /** Shown while the part loads. */
  fallback: ReactNode;
  /** Shown when it cannot be loaded, as after a new version was deployed, or when it throws. */
  failure: ReactNode;
  children: ReactNode;
}

/** A part of the panel that loads on demand. When it fails, the rest of the panel stays. */
export class Part extends Component<PartProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.failure : <Suspense fallback={this.props.fallback}>{this.props.children}</Suspense>;
  }
}
