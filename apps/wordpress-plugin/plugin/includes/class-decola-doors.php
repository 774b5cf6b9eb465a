<?php
/**
 * Addresses that receive events.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** The route of the REST API, in both forms of its address, and an address beside the REST API where that is closed. */
class Decola_Doors {

	const SPACE = 'decola/v1';

	public static function register(): void {
		add_action( 'rest_api_init', array( __CLASS__, 'register_route' ) );
		add_filter( 'rest_authentication_errors', array( __CLASS__, 'open_route' ), PHP_INT_MAX );
		add_action( 'wp_loaded', array( __CLASS__, 'answer_beside_rest' ) );
	}

	/** @return string[] Addresses of this site that receive events, best first. */
	public static function addresses(): array {
		return array_values(
			array_unique(
				array(
					rest_url( self::SPACE . '/events' ),
					home_url( '/?rest_route=/' . self::SPACE . '/events' ),
					home_url( '/?decola-webhook=1' ),
				)
			)
		);
	}

	public static function register_route(): void {
		register_rest_route(
			self::SPACE,
			'/events',
			array(
				'methods'             => 'POST',
				'callback'            => array( __CLASS__, 'answer_rest' ),
				// The signature authenticates; the handler checks it before everything else.
				'permission_callback' => '__return_true',
			)
		);
	}

	/**
	 * Security plugins close the REST API to everybody who is not logged in. This route, and no other, stays open.
	 *
	 * @param WP_Error|null|true $result What others decided.
	 * @return WP_Error|null|true
	 */
	public static function open_route( $result ) {
		$route = isset( $GLOBALS['wp']->query_vars['rest_route'] ) ? (string) $GLOBALS['wp']->query_vars['rest_route'] : '';
		return '/' . self::SPACE . '/events' === untrailingslashit( $route ) ? true : $result;
	}

	public static function answer_rest( WP_REST_Request $request ): WP_REST_Response {
		$fields = $request->get_body_params();
		$files  = $request->get_file_params();
		$answer = Decola_Receiver::handle(
			array(
				'id'        => (string) $request->get_header( 'webhook-id' ),
				'timestamp' => (string) $request->get_header( 'webhook-timestamp' ),
				'signature' => (string) $request->get_header( 'webhook-signature' ),
			),
			isset( $fields['event'] ) && is_string( $fields['event'] ) ? $fields['event'] : (string) $request->get_body(),
			isset( $files['file'] ) && is_array( $files['file'] ) ? $files['file'] : null
		);
		return new WP_REST_Response( $answer['response'], $answer['status'], self::headers( $answer['response'] ) );
	}

	/** Answers `/?decola-webhook=1`. The signature takes the place of a nonce: no form of this site leads here. */
	public static function answer_beside_rest(): void {
		if ( ! isset( $_GET['decola-webhook'] ) ) {
			return;
		}
		if ( ! isset( $_SERVER['REQUEST_METHOD'] ) || 'POST' !== $_SERVER['REQUEST_METHOD'] ) {
			self::send( 405, array( 'decola' => 1, 'ok' => false, 'code' => 'method', 'message' => __( 'Este endereço recebe apenas eventos.', 'decola' ) ) );
		}
		// The text is signed byte by byte: it is checked, not cleaned.
		$event  = isset( $_POST['event'] ) && is_string( $_POST['event'] ) ? wp_unslash( $_POST['event'] ) : (string) file_get_contents( 'php://input' );
		$answer = Decola_Receiver::handle(
			array(
				'id'        => self::header( 'HTTP_WEBHOOK_ID' ),
				'timestamp' => self::header( 'HTTP_WEBHOOK_TIMESTAMP' ),
				'signature' => self::header( 'HTTP_WEBHOOK_SIGNATURE' ),
			),
			$event,
			isset( $_FILES['file'] ) && is_array( $_FILES['file'] ) ? $_FILES['file'] : null
		);
		self::send( $answer['status'], $answer['response'] );
	}

	private static function header( string $name ): string {
		return isset( $_SERVER[ $name ] ) ? sanitize_text_field( wp_unslash( $_SERVER[ $name ] ) ) : '';
	}

	private static function headers( array $response ): array {
		$headers = array( 'Cache-Control' => 'no-store' );
		return isset( $response['retry_after'] ) ? $headers + array( 'Retry-After' => (string) $response['retry_after'] ) : $headers;
	}

	private static function send( int $status, array $response ): void {
		// What other plugins printed before would break the answer.
		while ( ob_get_level() > 0 && ob_end_clean() ) {
			continue;
		}
		if ( ! headers_sent() ) {
			foreach ( self::headers( $response ) as $name => $value ) {
				header( "$name: $value" );
			}
		}
		wp_send_json( $response, $status );
	}
}
