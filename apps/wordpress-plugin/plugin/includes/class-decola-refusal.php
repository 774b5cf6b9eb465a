<?php
/**
 * Refusals of events.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** An event is refused. The message is what the customer reads. */
class Decola_Refusal extends Exception {

	/** @var int HTTP status of the answer. */
	public $status;

	/** @var string Code that the sender branches on. */
	public $reason;

	/** @var array Facts that the answer carries beside code and message. */
	public $facts;

	public function __construct( int $status, string $reason, string $message, array $facts = array() ) {
		parent::__construct( $message );
		$this->status = $status;
		$this->reason = $reason;
		$this->facts  = $facts;
	}
}
