<?php
/**
 * Test of the connection.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** Sends this site a signed ping through its own doors, as the sender would. */
class Decola_Connection {

	/** @return array[] For each address: `url`, `ok`, `message`. */
	public static function test(): array {
		$results = array();
		foreach ( Decola_Doors::addresses() as $url ) {
			$results[] = self::ping( $url );
		}
		return $results;
	}

	public static function ping( string $url ): array {
		$challenge = bin2hex( random_bytes( 32 ) );
		$token     = Decola_Settings::token();
		$host      = Decola_Site::host();
		$id        = 'msg_' . bin2hex( random_bytes( 12 ) );
		$time      = (string) time();
		$body      = (string) wp_json_encode(
			array(
				'type'      => 'ping',
				'timestamp' => gmdate( 'c' ),
				'data'      => array(
					'host'      => $host,
					'challenge' => $challenge,
				),
			)
		);
		$response  = wp_remote_post(
			$url,
			array(
				'timeout'     => 10,
				'redirection' => 0,
				'sslverify'   => apply_filters( 'https_local_ssl_verify', false ),
				'body'        => $body,
				'headers'     => array(
					'Content-Type'      => 'application/json',
					'webhook-id'        => $id,
					'webhook-timestamp' => $time,
					'webhook-signature' => Decola_Signature::sign( $token, $id, $time, $body ),
				),
			)
		);
		if ( is_wp_error( $response ) ) {
			return self::result( $url, false, $response->get_error_message() );
		}
		$answer = self::read( wp_remote_retrieve_body( $response ) );
		if ( ! $answer ) {
			/* translators: %d: HTTP status */
			return self::result( $url, false, sprintf( __( 'O endereço não chegou ao plugin (resposta %d).', 'decola' ), wp_remote_retrieve_response_code( $response ) ) );
		}
		if ( empty( $answer['ok'] ) ) {
			return self::result( $url, false, isset( $answer['message'] ) ? (string) $answer['message'] : '' );
		}
		$is_proved = isset( $answer['proof'] ) && hash_equals( Decola_Signature::proof( $token, $challenge, $host ), (string) $answer['proof'] );
		return self::result( $url, $is_proved, $is_proved ? __( 'Funciona.', 'decola' ) : __( 'A resposta não prova o token.', 'decola' ) );
	}

	/** @return array|null Answer of this plugin; what others printed before it is cut away. */
	private static function read( string $body ): ?array {
		$start  = strpos( $body, '{"decola"' );
		$answer = false === $start ? null : json_decode( substr( $body, $start ), true );
		return is_array( $answer ) ? $answer : null;
	}

	private static function result( string $url, bool $is_ok, string $message ): array {
		return array(
			'url'     => $url,
			'ok'      => $is_ok,
			'message' => $message,
		);
	}
}
